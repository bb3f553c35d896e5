import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { claudeSettingsFile, planConnect, planDisconnect } from "../../cli/connect/agent-settings.ts";
import { writeAgentPrograms } from "../../main/entry/write-agent-programs.ts";
import { agentLaunchers } from "../../main/system/agent-launchers.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { claudeDecisions } from "./claude-decisions.ts";
import { type AgentProgram, installOnly } from "./programs.ts";
import { pause, QuestionLab } from "./question-lab.ts";

const words = "--model claude-sonnet-4-6 --permission-mode default";

/** Opens a shell with the launcher, in which `claude` is typed. */
function openPerRun(program: AgentProgram, prepare: (home: string, cwd: string) => void): Promise<QuestionLab> {
  return QuestionLab.open({
    program,
    words,
    path(home, command) {
      mkdirSync(join(home, "programs"));
      symlinkSync(command, join(home, "programs", "claude"));
      return join(home, "programs");
    },
    within: () => "claude",
    connect({ home, cwd, relay }) {
      writeAgentPrograms(relay.folder);
      planConnect(agentLaunchers(relay.folder).claudeSettings).apply();
      prepare(home, cwd);
    },
  });
}

/** The real program, started by name in a shell whose user has allowed the hooks for each run. */
describe.each<[AgentProgram]>([["claude"], ["claude-2.1.197"]])(
  "%s, connected per run",
  { timeout: 120_000 },
  (program) => {
    beforeAll(() => installOnly(program), 900_000);

    test("asks through its hooks, and its own settings stay as they are", async () => {
      const noted = (home: string) => join(home, "own-hook");
      await using agent = await openPerRun(program, (home, cwd) => {
        const own = { hooks: [{ type: "command", command: `cat >> '${noted(home)}'` }] };
        const file = claudeSettingsFile("user", { env: { HOME: home }, cwd });
        mkdirSync(join(home, ".claude"), { recursive: true });
        writeFileSync(file, JSON.stringify({ hooks: { UserPromptSubmit: [own], PermissionRequest: [own] } }));
      });
      await agent.joined(30_000);
      await pause(2000);
      const question = await agent.asks("Do it. ASK{echo x >> made-one} SAY{Done.}");
      expect(question).toMatchObject({
        agentType: "claude",
        source: "hook",
        detail: { command: "echo x >> made-one" },
      });
      const { result } = Answered.parse(
        JSON.parse((await answer(agent.relay, question.id, { wait: 15, option: "yes" })).text),
      );
      expect(result.receipt).toMatchObject({ state: "confirmed" });
      await until("the tool's result", () => claudeDecisions(agent.home, "made-one").length === 1);
      const file = claudeSettingsFile("user", { env: { HOME: agent.home }, cwd: agent.cwd });
      expect(readFileSync(file, "utf8")).not.toContain("agent-hook");
      // The user's own hooks run beside.
      const events = readFileSync(noted(agent.home), "utf8");
      expect(events).toContain('"hook_event_name":"UserPromptSubmit"');
      expect(events).toContain('"hook_event_name":"PermissionRequest"');
    });

    test("and by the user's settings too, asks once", async () => {
      await using agent = await openPerRun(program, (home, cwd) =>
        planConnect(claudeSettingsFile("user", { env: { HOME: home }, cwd })).apply(),
      );
      await agent.joined(30_000);
      await pause(2000);
      for (const word of ["made-one", "made-two"]) {
        const question = await agent.asks(`Do it. ASK{echo x >> ${word}} SAY{Done.}`);
        await answer(agent.relay, question.id, { wait: 15, option: "yes" });
        await until("the tool's result", () => claudeDecisions(agent.home, word).length === 1);
        await agent.idle();
      }
      expect(agent.opened().length).toBe(2);
      expect(readFileSync(join(agent.cwd, "made-two"), "utf8")).toBe("x\n");
    });

    test("and disconnected again, asks in its terminal alone", async () => {
      await using agent = await openPerRun(program, () => undefined);
      await agent.joined(30_000);
      await agent.press("C-c");
      await pause(500);
      await agent.press("C-c");
      await until("the end of the agent", () => agent.agent === undefined, 30_000);
      planDisconnect(agentLaunchers(agent.relay.folder).claudeSettings).apply();
      expect(existsSync(agentLaunchers(agent.relay.folder).claudeSettings)).toBe(false);
      await agent.press(`claude ${words}`, "Enter");
      await agent.joined();
      await pause(2000);
      const question = await agent.asks("Do it. ASK{touch made-one} SAY{Done.}");
      expect(question.source).toBe("screen");
    });
  },
);
