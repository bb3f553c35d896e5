import { useCallback, useEffect, useState } from "react";
import type { ConversationPage, KnownResume } from "../../../core/protocol/conversations.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import type { RestorableShell } from "../../../core/protocol/restore.ts";
import { search as words } from "../../search/words.ts";
import { goToShell } from "../shells/shell-actions.ts";
import { useStaysAtEnd } from "../view/use-stays-at-end.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { Message } from "./conversation-message.tsx";
import { PlaceFrame } from "./place-frame.tsx";

/** The messages of a conversation around a result, or the last ones, which go on with what is said while its agent runs. */
export function ConversationPlace({ hit, back }: { hit: HitPlace; back(): void }) {
  const view = useView();
  const { host, ui } = view;
  const { mirror, connected } = useSnapshot();
  const [cursor, setCursor] = useState(hit.id);
  const [found, setFound] = useState<KnownResume>();
  const { agentType = "", agentSessionId = "", title = "" } = hit.conversation ?? {};
  const isRunning = mirror?.agents.some((one) => one.agentType === agentType && one.sessionId === agentSessionId);
  const isLive = isRunning === true && connected && cursor === undefined;
  const read = useCallback(async () => {
    const page = await host.readConversation({ agentType, agentSessionId, cursor });
    setFound(page.resume);
    return page;
  }, [host, agentType, agentSessionId, cursor]);
  const readNext = useCallback(
    ({ after }: ConversationPage) => host.readConversation({ agentType, agentSessionId, after: after ?? "start" }),
    [host, agentType, agentSessionId],
  );
  const resumable = useResumable({ agentType, agentSessionId, found, read });
  const runsIn = found?.runsIn?.session === mirror?.session.id ? found?.runsIn?.shellId : undefined;
  const goToAgent = () => {
    ui.searchOpen.set(false);
    goToShell(view, runsIn);
  };
  const goTo = (to: string | null | undefined) => (to == null ? undefined : () => setCursor(to));
  const toEnd = () => setCursor(undefined);
  return (
    <PlaceFrame
      name={words.conversation.title(title === "" ? agentType : title)}
      heading={title === "" ? words.groups.conversation(agentType) : title}
      at={() => hit.at}
      back={back}
      read={read}
      readNext={isLive ? readNext : undefined}
      words={words.conversation}
      earlier={({ before }) => goTo(before)}
      later={({ hasMore, after }) => (hasMore ? goTo(after) : cursor === undefined ? undefined : toEnd)}
      status={isLive ? words.conversation.live : undefined}
      action={
        runsIn !== undefined ? (
          <button type="button" className="button small" onClick={goToAgent}>
            {words.place.goTo}
          </button>
        ) : (
          resumable.hint !== undefined && (
            <button
              type="button"
              className="button small"
              title={resumable.hint}
              disabled={resumable.isBusy}
              onClick={resumable.resume}
            >
              {words.conversation.resume}
            </button>
          )
        )
      }
      notDone={resumable.failed === undefined ? undefined : words.conversation.notResumed(resumable.failed)}
    >
      {({ messages }) => (
        <>
          {runsIn === undefined && resumable.newLine !== undefined && (
            <p className="conversation-line ellipsis" title={resumable.hint}>
              {resumable.newLine}
            </p>
          )}
          <Messages messages={messages} meant={cursor} />
        </>
      )}
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

/** The line that resumes a conversation as a person reads it, with the variables of its shell. */
function lineOf({ command, env }: KnownResume): string {
  return [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command].join(" ");
}

/**
 * A conversation as it can be resumed: in the place of the shell that it ran in when that ended, else in a new shell.
 *
 * @param found - how it is resumed in a new shell, as it was when the conversation was read
 * @param read - reads the conversation again, and how it is resumed
 * @returns `newLine`: the line that a new shell would run; undefined where none would be created
 */
function useResumable({
  agentType,
  agentSessionId,
  found,
  read,
}: {
  readonly agentType: string;
  readonly agentSessionId: string;
  readonly found: KnownResume | undefined;
  readonly read: () => Promise<unknown>;
}) {
  const { host, ui, run } = useView();
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
  /** Resolves to why it was not resumed; to undefined where it was. */
  const inItsPlace = async ({ shellId: shell, folderGone }: RestorableShell) => {
    const [result] = await host.restore({ shell, conversation: agentSessionId, nearest: folderGone === true });
    return result?.state === "resumed" ? undefined : (result?.why ?? "");
  };
  const inNewShell = async ({ command, cwd, env }: KnownResume) => {
    const { shellId } = await host.resumeConversation({ agentType, agentSessionId, command, cwd, env });
    if (shellId === null) {
      await read();
      return words.conversation.lineChanged;
    }
    // A tile that cannot be opened is told by itself: the agent runs all the same.
    await run("openTile", { type: "shell", shell: shellId });
    return undefined;
  };
  const resume = async () => {
    setBusy(true);
    setFailed(undefined);
    try {
      const why = offer !== undefined ? await inItsPlace(offer) : found && (await inNewShell(found));
      if (why === undefined) ui.searchOpen.set(false);
      else setFailed(why);
    } catch (error) {
      setFailed(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  const again = { isBusy, failed, resume: () => void resume() };
  if (offer !== undefined) return { ...again, hint: words.conversation.resumeHint(offer.title), newLine: undefined };
  if (found === undefined || found.why !== undefined) return { ...again, hint: undefined, newLine: undefined };
  const newLine = lineOf(found);
  return { ...again, hint: words.conversation.resumeNewHint(newLine, found.cwd), newLine };
}
