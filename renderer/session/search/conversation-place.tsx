import { useCallback, useEffect, useRef, useState } from "react";
import type { ConversationMessage } from "../../../core/protocol/conversations.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import type { RestorableShell } from "../../../core/protocol/restore.ts";
import { search as words } from "../../search/words.ts";
import { formatTime } from "../../ui/format-time.ts";
import { useView } from "../view/view.ts";
import { PlaceFrame } from "./place-frame.tsx";

/** Characters of a text that are shown. */
const LONGEST_TEXT = 20_000;

/** The messages of a conversation around a result, or the last ones. */
export function ConversationPlace({ hit, back }: { hit: HitPlace; back(): void }) {
  const { host } = useView();
  const [cursor, setCursor] = useState(hit.id);
  const { agentType = "", agentSessionId = "", title = "" } = hit.conversation ?? {};
  const read = useCallback(
    () => host.readConversation({ agentType, agentSessionId, cursor }),
    [host, agentType, agentSessionId, cursor],
  );
  const resumable = useResumable(agentType, agentSessionId);
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
      action={
        resumable.shell !== undefined && (
          <button
            type="button"
            className="button small"
            title={words.conversation.resumeHint(resumable.shell)}
            disabled={resumable.isBusy}
            onClick={resumable.resume}
          >
            {words.conversation.resume}
          </button>
        )
      }
      notDone={resumable.failed === undefined ? undefined : words.conversation.notResumed(resumable.failed)}
    >
      {({ messages }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        <ol className="conversation" aria-label={words.conversation.messages} tabIndex={0}>
          {messages.map((message) => (
            <Message
              key={message.cursor}
              message={message}
              isInSight={message.cursor === (cursor ?? messages.at(-1)?.cursor)}
              isMeant={message.cursor === cursor}
            />
          ))}
        </ol>
      )}
    </PlaceFrame>
  );
}

/** A conversation as it can be resumed: in the place of the shell that it ran in when that ended. */
function useResumable(agentType: string, agentSessionId: string) {
  const { host, ui } = useView();
  const [offer, setOffer] = useState<RestorableShell>();
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    let isStale = false;
    const runsIn = ({ agents }: RestorableShell) =>
      agents.some(
        (agent) => agent.agentType === agentType && agent.sessionId === agentSessionId && agent.state === "ready",
      );
    host.restore({}).then(
      (offers) => isStale || setOffer(offers.find(runsIn)),
      // Who may not resume it is not offered it.
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [host, agentType, agentSessionId]);
  const resume = async () => {
    if (offer === undefined) return;
    setBusy(true);
    setFailed(undefined);
    try {
      const { shellId: shell, folderGone: nearest = false } = offer;
      const [result] = await host.restore({ shell, conversation: agentSessionId, nearest });
      if (result?.state === "resumed") ui.searchOpen.set(false);
      else setFailed(result?.why ?? "");
    } catch (error) {
      setFailed(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return { shell: offer?.title, isBusy, failed, resume: () => void resume() };
}

interface MessageProps {
  readonly message: ConversationMessage;
  /** It is scrolled to. */
  readonly isInSight: boolean;
  /** It was searched for. */
  readonly isMeant: boolean;
}

function Message({ message, isInSight, isMeant }: MessageProps) {
  const element = useRef<HTMLLIElement>(null);
  const { role, at, text, tool } = message;
  useEffect(() => {
    if (isInSight) element.current?.scrollIntoView({ block: "center" });
  }, [isInSight]);
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
