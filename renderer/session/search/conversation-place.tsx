import { useCallback, useEffect, useRef, useState } from "react";
import type { ConversationMessage } from "../../../core/protocol/conversations.ts";
import type { SearchHit } from "../../../core/protocol/history-search.ts";
import { formatTime } from "../../ui/format-time.ts";
import { useView } from "../view/view.ts";
import { search as words } from "../words/search.ts";
import { PlaceFrame } from "./place-frame.tsx";

/** Characters of a text that are shown. */
const LONGEST_TEXT = 20_000;

/** The messages of a conversation around a result. */
export function ConversationPlace({ hit, back }: { hit: SearchHit; back(): void }) {
  const { host } = useView();
  const [cursor, setCursor] = useState(hit.id ?? "");
  const { agentType = "", agentSessionId = "", title = "" } = hit.conversation ?? {};
  const read = useCallback(
    () => host.readConversation({ agentType, agentSessionId, cursor }),
    [host, agentType, agentSessionId, cursor],
  );
  const goTo = (to: string | null | undefined) => (to == null ? undefined : () => setCursor(to));
  return (
    <PlaceFrame
      name={words.conversation.title(title === "" ? agentType : title)}
      heading={title === "" ? words.groups.conversation(agentType) : title}
      at={hit.at}
      back={back}
      read={read}
      words={words.conversation}
      earlier={({ before }) => goTo(before)}
      later={({ hasMore, after }) => (hasMore ? goTo(after) : undefined)}
    >
      {({ messages }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        <ol className="conversation" aria-label={words.conversation.messages} tabIndex={0}>
          {messages.map((message) => (
            <Message key={message.cursor} message={message} isMeant={message.cursor === cursor} />
          ))}
        </ol>
      )}
    </PlaceFrame>
  );
}

function Message({ message, isMeant }: { message: ConversationMessage; isMeant: boolean }) {
  const element = useRef<HTMLLIElement>(null);
  const { role, at, text, tool } = message;
  useEffect(() => {
    if (isMeant) element.current?.scrollIntoView({ block: "center" });
  }, [isMeant]);
  return (
    <li ref={element} data-role={role} data-meant={isMeant || undefined}>
      <p className="conversation-head">
        <strong>{tool === undefined ? words.conversation.roles[role] : tool.name}</strong>
        <time dateTime={at}>{formatTime(at)}</time>
      </p>
      {text !== "" && <p className="conversation-text">{text.slice(0, LONGEST_TEXT)}</p>}
      {tool !== undefined && (
        <pre>{[JSON.stringify(tool.input), tool.result ?? ""].join("\n").slice(0, LONGEST_TEXT)}</pre>
      )}
    </li>
  );
}
