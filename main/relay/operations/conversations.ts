import { z } from "zod";
import type { conversationOperations } from "../../../core/operations/conversations.ts";
import type { ConversationMessage, MessageTool } from "../../../core/protocol/conversations.ts";
import { ShellId } from "../../../core/protocol/ids.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import { withoutSecretsIn } from "../../system/hide-in-value.ts";
import { withoutLastWord } from "../../system/redact-part.ts";
import { hidesSecrets } from "../access/permits/hides-secrets.ts";
import type { Handlers } from "../calls/calls.ts";
import { routeCommand } from "../calls/route-command.ts";
import { keptMessages } from "../questions/kept-messages.ts";
import { CallerBudgets } from "../session/caller-budgets.ts";
import { findResumable } from "../session/find-resumable.ts";
import type { AgentsPort } from "../session/ports.ts";

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

export function conversationHandlers({
  sessions,
  user,
  agents,
}: ConversationHandlersOptions): Handlers<keyof typeof conversationOperations> {
  // Conversations belong to no session.
  const budgets = new CallerBudgets();
  const questions = () =>
    sessions
      .all()
      .filter(({ owner }) => owner === user)
      .flatMap(({ questions }) => questions.list({ all: true }));
  return {
    async resumeConversation({ agentSessionId, agentType, yes }, { session, caller }) {
      const name = { agentSessionId, agentType };
      const resume = findResumable(agents.resumes, name, session.id);
      if (!yes) return { state: "shown", ...resume, shellId: null };
      const { command, cwd, env } = resume;
      const shellId = await agents.resumes.starts.start(name, session, async () => {
        const params = { cwd, command, env };
        const source = caller.principal.shell;
        const { value } = await routeCommand(session, { method: "createShell", params, source, caller });
        return NewShell.parse(value).shellId;
      });
      return { state: "started", ...resume, shellId };
    },
    getConversations({ secrets, ...wanted }, { caller: { permit, account } }) {
      const options = { hidesSecrets: hidesSecrets(secrets, permit) };
      return budgets.read(account, () => agents.conversations.list(wanted, options));
    },
    async getConversation({ agentSessionId, agentType, secrets, ...wanted }, { caller: { permit, account }, signal }) {
      const hides = hidesSecrets(secrets, permit);
      const kept = (kind: string) => keptMessages(questions(), kind, agentSessionId);
      const reading = { gone: signal, inTurn: <T>(read: () => Promise<T>) => budgets.read(account, read) };
      const read = () => agents.conversations.page({ agentSessionId, agentType }, wanted, kept, reading);
      const page = await ((wanted.wait ?? 0) > 0 ? budgets.wait(account, read) : read());
      return hides ? { ...page, messages: await withoutSecrets(page.messages) } : page;
    },
    getConversationText({ agentSessionId, agentType, secrets, ...wanted }, { caller: { permit, account } }) {
      const options = { hidesSecrets: hidesSecrets(secrets, permit) };
      return budgets.read(account, () => agents.conversations.text({ agentSessionId, agentType }, wanted, options));
    },
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
