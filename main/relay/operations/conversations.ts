import { z } from "zod";
import type { conversationOperations } from "../../../core/operations/conversations.ts";
import type { KnownResume } from "../../../core/protocol/conversations.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { Handlers } from "../calls/calls.ts";
import { routeCommand } from "../calls/route-command.ts";
import { keptMessages } from "../questions/kept-messages.ts";
import type { AgentsPort } from "../session/ports.ts";
import type { Session } from "../session/session.ts";

/** A session, as far as the conversations in its shells need it. */
interface SessionQuestions {
  readonly owner: string;
  readonly questions: { list(wanted: { readonly all: boolean }): readonly Question[] };
}

interface ConversationHandlersOptions {
  readonly sessions: { all(): readonly SessionQuestions[] };
  /** The operating-system user that runs the relay, whose conversations these are. */
  readonly user: string;
  readonly agents: Pick<AgentsPort, "conversations" | "resumes">;
}

const NewShell = z.object({ shellId: ShellId });

/** How long an agent may take to show the conversation that it resumes, in ms. */
const START_MS = 60_000;

/** A shell in which a conversation is resumed, and since when by `performance.now()`. */
interface Resumed {
  readonly session: Session;
  /** Undefined while it is created. */
  readonly shell: ShellId | undefined;
  readonly since: number;
}

export function conversationHandlers({
  sessions,
  user,
  agents,
}: ConversationHandlersOptions): Handlers<keyof typeof conversationOperations> {
  const questions = () =>
    sessions
      .all()
      .filter(({ owner }) => owner === user)
      .flatMap(({ questions }) => questions.list({ all: true }));
  /** Conversations that were resumed, by the line that does: their agents may not have shown them yet. */
  const resumed = new Map<string, Resumed>();
  const checkResumed = (line: string) => {
    for (const [key, { session, shell, since }] of resumed) {
      const runs = shell === undefined || session.shells.find(shell)?.running === true;
      if (!runs || performance.now() - since > START_MS) resumed.delete(key);
    }
    const known = resumed.get(line);
    if (known === undefined) return;
    const { shell } = known;
    throw new RemoteError("invalid_request", `It is resumed ${shell === undefined ? "already" : `in shell ${shell}`}.`);
  };
  return {
    async resumeConversation({ agentSessionId, agentType, yes }, { session, caller }) {
      const { why, runsIn, ...resume } = agents.resumes.find({ agentSessionId, agentType });
      checkResumable({ why, runsIn }, session);
      const { command, cwd, env } = resume;
      checkResumed(command);
      if (!yes) return { state: "shown", ...resume, shellId: null };
      const started = { session, since: performance.now() };
      resumed.set(command, { ...started, shell: undefined });
      try {
        const params = { cwd, command, env };
        const source = caller.principal.shell;
        const { value } = await routeCommand(session, { method: "createShell", params, source, caller });
        const { shellId } = NewShell.parse(value);
        resumed.set(command, { ...started, shell: shellId });
        return { state: "started", ...resume, shellId };
      } catch (error) {
        resumed.delete(command);
        throw error;
      }
    },
    getConversations: (wanted) => agents.conversations.list(wanted),
    getConversation({ agentSessionId, agentType, ...wanted }, context) {
      const kept = (kind: string) => keptMessages(questions(), kind, agentSessionId);
      return agents.conversations.page({ agentSessionId, agentType }, wanted, kept, context.signal);
    },
    getConversationText: ({ agentSessionId, agentType, message, part, offset }) =>
      agents.conversations.text({ agentSessionId, agentType }, { message, part, offset }),
  };
}

/** @throws RemoteError `invalid_request` with what speaks against it */
function checkResumable({ why, runsIn }: Pick<KnownResume, "why" | "runsIn">, { id }: Session): void {
  if (runsIn !== undefined) {
    const place = runsIn.session === id ? `shell ${runsIn.shellId}` : `shell ${runsIn.shellId} of another session`;
    throw new RemoteError("invalid_request", `An agent works on this conversation in ${place}: go there instead.`);
  }
  if (why !== undefined) throw new RemoteError("invalid_request", why);
}
