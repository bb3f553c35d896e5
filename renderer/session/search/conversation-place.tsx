import { useCallback, useEffect, useState } from "react";
import type { ConversationPage } from "../../../core/protocol/conversations.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import type { RestorableShell } from "../../../core/protocol/restore.ts";
import { search as words } from "../../search/words.ts";
import { useStaysAtEnd } from "../view/use-stays-at-end.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { Message } from "./conversation-message.tsx";
import { PlaceFrame } from "./place-frame.tsx";

/** The messages of a conversation around a result, or the last ones, which go on with what is said while its agent runs. */
export function ConversationPlace({ hit, back }: { hit: HitPlace; back(): void }) {
  const { host } = useView();
  const { mirror, connected } = useSnapshot();
  const [cursor, setCursor] = useState(hit.id);
  const { agentType = "", agentSessionId = "", title = "" } = hit.conversation ?? {};
  const isRunning = mirror?.agents.some((one) => one.agentType === agentType && one.sessionId === agentSessionId);
  const isLive = isRunning === true && connected && cursor === undefined;
  const read = useCallback(
    () => host.readConversation({ agentType, agentSessionId, cursor }),
    [host, agentType, agentSessionId, cursor],
  );
  const readNext = useCallback(
    ({ after }: ConversationPage) => host.readConversation({ agentType, agentSessionId, after: after ?? "start" }),
    [host, agentType, agentSessionId],
  );
  const resumable = useResumable(agentType, agentSessionId);
  const goTo = (to: string | null | undefined) => (to == null ? undefined : () => setCursor(to));
  const toEnd = () => setCursor(undefined);
  return (
    <PlaceFrame
      name={words.conversation.title(title === "" ? agentType : title)}
      heading={title === "" ? words.groups.conversation(agentType) : title}
      at={hit.at}
      back={back}
      read={read}
      readNext={isLive ? readNext : undefined}
      words={words.conversation}
      earlier={({ before }) => goTo(before)}
      later={({ hasMore, after }) => (hasMore ? goTo(after) : cursor === undefined ? undefined : toEnd)}
      status={isLive ? words.conversation.live : undefined}
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
      {({ messages }) => <Messages messages={messages} meant={cursor} />}
    </PlaceFrame>
  );
}

/** Messages in order: at the one that is meant, else at their end, where they stay when more are said. */
function Messages({ messages, meant }: Pick<ConversationPage, "messages"> & { readonly meant: string | undefined }) {
  const end = useStaysAtEnd(messages, { startsAtEnd: meant === undefined });
  return (
    <ol
      {...end}
      className="conversation"
      aria-label={words.conversation.messages}
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
      tabIndex={0}
    >
      {messages.map((message) => (
        <Message key={message.cursor} message={message} isMeant={message.cursor === meant} />
      ))}
    </ol>
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
