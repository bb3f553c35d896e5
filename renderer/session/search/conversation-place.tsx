import { useEffect, useRef, useState } from "react";
import type { ConversationMessage } from "../../../core/protocol/conversations.ts";
import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import { formatTime } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { useView } from "../view/view.ts";
import { search as words } from "../words/search.ts";

/** Characters of a text that are shown. */
const LONGEST_TEXT = 20_000;

/** The messages of a conversation around a result. */
export function ConversationPlace({ hit, back }: { hit: SearchHit; back(): void }) {
  const { host } = useView();
  const [cursor, setCursor] = useState(hit.id ?? "");
  const [page, setPage] = useState<OpResult<"readConversation">>();
  const [failed, setFailed] = useState<string>();
  const { agentType = "", agentSessionId = "", title = "" } = hit.conversation ?? {};
  useEffect(() => {
    let isStale = false;
    host.readConversation({ agentType, agentSessionId, cursor }).then(
      (answer) => isStale || setPage(answer),
      (error: unknown) => isStale || setFailed(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isStale = true;
    };
  }, [host, agentType, agentSessionId, cursor]);
  const name = words.conversation.title(title === "" ? agentType : title);
  return (
    <section className="history-place" aria-label={name}>
      <div className="history-head">
        <button
          type="button"
          className="icon-button"
          // biome-ignore lint/a11y/noAutofocus: Escape and the arrows work from here
          autoFocus
          aria-label={words.place.back}
          title={words.place.back}
          onClick={back}
        >
          <Icon name="left" />
        </button>
        <strong className="ellipsis" title={title}>
          {title === "" ? words.groups.conversation(agentType) : title}
        </strong>
        <time dateTime={hit.at}>{formatTime(hit.at)}</time>
        <span className="history-buttons">
          <button
            type="button"
            className="button quiet small"
            disabled={page?.before == null}
            onClick={() => setCursor(page?.before ?? cursor)}
          >
            {words.place.earlier}
          </button>
          <button
            type="button"
            className="button quiet small"
            disabled={page?.hasMore !== true}
            onClick={() => setCursor(page?.after ?? cursor)}
          >
            {words.place.later}
          </button>
        </span>
      </div>
      {failed !== undefined && (
        <p className="search-none" role="alert">
          {words.conversation.failed(failed)}
        </p>
      )}
      {page === undefined && failed === undefined && (
        <p className="search-none" role="status">
          {words.conversation.loading}
        </p>
      )}
      {page !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        <ol className="conversation" aria-label={words.conversation.messages} tabIndex={0}>
          {page.messages.map((message) => (
            <Message key={message.cursor} message={message} isMeant={message.cursor === cursor} />
          ))}
        </ol>
      )}
    </section>
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
