import { z } from "zod";
import type { conversationOperations } from "../../../core/operations/conversations.ts";
import type { ConversationMessage, KnownResume, MessageTool } from "../../../core/protocol/conversations.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import { withoutSecretsIn } from "../../system/hide-in-value.ts";
import { withoutLastWord } from "../../system/redact-part.ts";
import { hidesSecrets } from "../access/permits/hides-secrets.ts";
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
    getConversations: ({ secrets, ...wanted }, { caller: { permit } }) =>
      agents.conversations.list(wanted, { hidesSecrets: hidesSecrets(secrets, permit) }),
    async getConversation({ agentSessionId, agentType, secrets, ...wanted }, { caller: { permit }, signal }) {
      const hides = hidesSecrets(secrets, permit);
      const kept = (kind: string) => keptMessages(questions(), kind, agentSessionId);
      const page = await agents.conversations.page({ agentSessionId, agentType }, wanted, kept, signal);
      return hides ? { ...page, messages: await withoutSecrets(page.messages) } : page;
    },
    getConversationText: ({ agentSessionId, agentType, message, part, offset, secrets }, { caller: { permit } }) =>
      agents.conversations.text(
        { agentSessionId, agentType },
        { message, part, offset },
        { hidesSecrets: hidesSecrets(secrets, permit) },
      ),
  };
}

/** Hides secrets in messages, and the last word of a text that goes on elsewhere: it may be the beginning of a secret. */
async function withoutSecrets(messages: readonly ConversationMessage[]): Promise<ConversationMessage[]> {
  const shown = await withoutSecretsIn([...messages]);
  return shown.map((message) => {
    const { longer, tool } = message;
    if (longer === undefined) return message;
    const text = longer.text === undefined ? message.text : withoutLastWord(message.text);
    return tool === undefined ? { ...message, text } : { ...message, text, tool: withoutCutWords(tool, longer) };
  });
}

function withoutCutWords(
  tool: MessageTool,
  { input, result }: NonNullable<ConversationMessage["longer"]>,
): MessageTool {
  return {
    ...tool,
    ...(input !== undefined && typeof tool.input === "string" ? { input: withoutLastWord(tool.input) } : {}),
    ...(result !== undefined && tool.result !== undefined ? { result: withoutLastWord(tool.result) } : {}),
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
