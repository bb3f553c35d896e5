import { beforeAll, expect, test } from "vitest";
import type { AgentEvent } from "../../core/protocol/agent-records.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { agentPlace, installOnly } from "./programs.ts";
import { startInShell } from "./start-in-shell.ts";

const kinds = ["codex", "gemini", "qwen", "opencode"] as const;
beforeAll(() => installOnly(...kinds), 900_000);

/** The kinds that name neither their process nor their terminal: only what a terminal shows tells whose a session is. */
test.each(kinds)(
  "three %s in one folder, prompted at once: each is joined to its own session",
  {
    timeout: 500_000,
  },
  async (program) => {
    const lab = new AgentLab();
    const place = await agentPlace(lab, program);
    await using relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env: place.env });
    await using _client = await relay.join();
    const { state } = relay.relay.sessions.get(relay.session);
    const shells: ShellId[] = [];
    for (const _ of [1, 2, 3]) {
      const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { cwd: place.cwd });
      shells.push(shellId);
    }
    await Promise.all(shells.map((shell) => startInShell(relay, shell, { program, place })));
    const promptOf = (shell: ShellId) => `Tell me of project number ${shell}00${shell}. SAY{answer${shell}00${shell}}`;
    const type = (shell: ShellId) => relay.command("sendKeys", { id: shell, keys: [promptOf(shell)] });
    await Promise.all(shells.map(type));
    const isShown = async (shell: ShellId) =>
      (await relay.relay.sessions.get(relay.session).shells.host.screen({ shell })).text.includes(`00${shell}. SAY`);
    for (const shell of shells) await until(`the prompt in shell ${shell}`, () => isShown(shell), 60_000);
    await Promise.all(shells.map((shell) => relay.command("sendKeys", { id: shell, keys: ["Enter"] })));
    const agentOf = (shell: ShellId) => state.now.agents.find(({ shellId }) => shellId === shell);
    for (const shell of shells) {
      const proven = () => {
        const agent = agentOf(shell);
        return agent !== undefined && agent.sessionId !== "" && agent.assumed !== true && agent.sessionId;
      };
      const sessionId = await until(`the session of shell ${shell}`, proven, 60_000);
      const events = await relay.command<AgentEvent[]>("getAgentEvents", { sessionId, types: ["user_message"] });
      expect(events.map(({ text }) => text).join("\n")).toContain(promptOf(shell));
    }
    lab[Symbol.dispose]();
  },
);
