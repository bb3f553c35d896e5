import { beforeAll, expect, test } from "vitest";
import type { AgentEvent } from "../../core/protocol/agent-records.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { agentPlace, installOnly } from "./programs.ts";
import { startInShell } from "./start-in-shell.ts";

const kinds = ["codex", "gemini", "qwen", "opencode"] as const;
beforeAll(() => installOnly(...kinds), 900_000);

/** Rounds of each kind; three to five agents start in each. */
const ROUNDS = Number(process.env.AGENT_JOINS ?? 1);

/** The kinds that name neither their process nor their terminal: only what a terminal shows tells whose a session is. */
test.each(kinds)(
  "several %s in one folder, prompted at once: each is joined to its own session",
  {
    timeout: 300_000 + ROUNDS * 200_000,
  },
  async (program) => {
    using lab = new AgentLab();
    const place = await agentPlace(lab, program);
    await using relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env: place.env });
    await using _client = await relay.join();
    for (let round = 0; round < ROUNDS; round++) await joinAtOnce(relay, { program, place, count: 3 + (round % 3) });
  },
);

interface Start extends Pick<Parameters<typeof startInShell>[2], "program" | "place"> {
  readonly count: number;
}

/** Starts several agents at once, prompts them at once, and compares each one's session with what was typed in its shell. */
async function joinAtOnce(relay: TestRelay, { program, place, count }: Start): Promise<void> {
  const { state, shells: open } = relay.relay.sessions.get(relay.session);
  const shells: ShellId[] = [];
  for (let made = 0; made < count; made++) {
    const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { cwd: place.cwd });
    shells.push(shellId);
  }
  await Promise.all(shells.map((shell) => startInShell(relay, shell, { program, place })));
  const promptOf = (shell: ShellId) => `Tell me of project number ${shell}00${shell}. SAY{answer${shell}00${shell}}`;
  await Promise.all(shells.map((shell) => relay.command("sendKeys", { id: shell, keys: [promptOf(shell)] })));
  const isShown = async (shell: ShellId) => (await open.host.screen({ shell })).text.includes(`00${shell}. SAY`);
  for (const shell of shells) await until(`the prompt in shell ${shell}`, () => isShown(shell), 60_000);
  // Gemini CLI takes no Enter for a moment after it has taken text.
  const enter = async (shell: ShellId) => {
    await relay.command("sendKeys", { id: shell, keys: ["Enter"] });
    return state.now.agents.some(
      (agent) => agent.shellId === shell && (agent.state === "working" || agent.sessionId !== ""),
    );
  };
  await Promise.all(shells.map((shell) => until(`the turn in shell ${shell}`, () => enter(shell), 60_000)));
  for (const shell of shells) {
    const proven = () => {
      const agent = state.now.agents.find(({ shellId }) => shellId === shell);
      return agent !== undefined && agent.sessionId !== "" && agent.assumed !== true && agent.sessionId;
    };
    const sessionId = await until(`the session of shell ${shell}`, proven, 60_000);
    const events = await relay.command<AgentEvent[]>("getAgentEvents", { sessionId, types: ["user_message"] });
    expect(events.map(({ text }) => text).join("\n")).toContain(promptOf(shell));
  }
  for (const shell of shells) await relay.command("closeShell", { id: shell });
}
