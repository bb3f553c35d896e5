import { beforeAll, expect, test } from "vitest";
import type { Conversation, ConversationMessage, ConversationPage } from "../../core/protocol/conversations.ts";
import { allAdapters } from "../../main/agents/adapters/all.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { rawConversation, saidIn } from "../support/raw-conversations.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { agentPlace, installOnly } from "./programs.ts";

/** How each program answers one prompt and ends: in a new conversation, and in the one before. */
const programs = {
  claude: { once: "--model claude-sonnet-4-6 --permission-mode bypassPermissions -p", again: "--continue" },
  codex: { once: "exec --dangerously-bypass-approvals-and-sandbox", again: "resume --last" },
  gemini: { once: "-m gemini-2.5-pro --approval-mode yolo -p", again: "--resume latest" },
  qwen: { once: "--approval-mode yolo -p", again: "--continue" },
  copilot: { once: "--allow-all-tools -p", again: "--continue" },
  opencode: { once: "run --auto", again: "--continue" },
} as const;
type Program = keyof typeof programs;
const names = Object.keys(programs) as Program[];
/** Their command line takes what continues a conversation behind the rest. */
const CONTINUES_BEHIND = new Set<Program>(["codex", "opencode"]);
const prompts = [
  "Look first. RUN{echo hi; echo there} SAY{First answer.}",
  "Fail. RUN{echo oops >&2; exit 3} SAY{Second answer.}",
];
const TURN_S = 90;

beforeAll(() => installOnly(...names), 900_000);

test.each(names)(
  "a conversation with %s has what its transcript says, message by message, in pages of any size",
  {
    timeout: 4 * TURN_S * 1000,
  },
  async (name) => {
    using lab = new AgentLab();
    const { command, cwd, env } = await agentPlace(lab, name);
    await using relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env });
    await using _client = await relay.join();
    const { once, again } = programs[name];
    await relay.command("createShell", { cwd });
    const read = async <Result>(path: string) =>
      (JSON.parse((await relay.request("GET", `/v1/${path}`)).text) as { readonly result: Result }).result;
    for (const [index, prompt] of prompts.entries()) {
      const more = index === 0 ? [once] : CONTINUES_BEHIND.has(name) ? [once, again] : [again, once];
      const line = `${[command, ...more].join(" ")} '${prompt}' </dev/null`;
      const run = { command: line, wait: true, timeout: TURN_S };
      const { output, exitCode } = await relay.command<{ output: string; exitCode: number }>("runCommand", run);
      expect([output, exitCode]).toEqual([expect.stringContaining("answer."), 0]);
    }
    const [conversation = expect.unreachable(`a conversation with ${name}`), ...others] = await read<Conversation[]>(
      `conversations?agentType=${name}`,
    );
    expect(others).toEqual([]);
    const place = `conversations/${conversation.sessionId}`;
    const whole = await read<ConversationPage>(`${place}?after=start&limit=1000&secrets=keep`);
    expect([whole.hasMore, whole.before]).toEqual([false, null]);

    const adapter = allAdapters().find(({ kind }) => kind === name) ?? expect.unreachable(name);
    const home = adapter.home((variable) => (variable === "HOME" ? lab.home : undefined)) ?? expect.unreachable("home");
    const files = adapter.files(home, conversation.sessionId);
    const said = whole.messages.flatMap(saidIn);
    expect(said.toSorted()).toEqual(rawConversation(name, files, conversation.sessionId).sort());
    // opencode puts quotes around it.
    for (const text of prompts)
      expect([`prompt ${text}`, `prompt "${text}"`].some((one) => said.includes(one))).toBe(true);
    expect(said.filter((one) => /^text (?:First|Second) answer\.$/.test(one))).toHaveLength(2);

    for (const limit of [1, 3]) {
      const paged: ConversationMessage[] = [];
      for (let after: string | null = "start"; after !== null; ) {
        const range = `after=${encodeURIComponent(after)}&limit=${limit}`;
        const page: ConversationPage = await read(`${place}?${range}&secrets=keep`);
        paged.push(...page.messages);
        after = page.hasMore ? page.after : null;
      }
      expect(paged).toEqual(whole.messages);
    }
  },
);
