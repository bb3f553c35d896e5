import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentLab, session, until } from "../integration/main/agents/agent-lab.ts";
import { type AgentPlace, type AgentProgram, agentPlace, installPrograms } from "./programs.ts";

const RUNS = 8;

let lab: AgentLab;
beforeAll(installPrograms, 900_000);
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

const programs: readonly (readonly [AgentProgram, string])[] = [
  ["claude", "--model claude-haiku-4-5 -p"],
  ["claude-2.1.197", "--model claude-haiku-4-5 -p"],
  ["codex", "exec"],
  ["codex-0.98", "exec"],
  ["gemini", "-m gemini-2.5-pro --approval-mode yolo -p"],
];

describe.each(programs)("%s, whose API answers at once,", (program, options) => {
  async function ready(): Promise<AgentPlace> {
    const place = await agentPlace(lab, program);
    lab.agents.start();
    await until("the prompt", () => place.shell.output().includes("ready> "));
    return place;
  }

  async function everythingIsCounted({ truth }: AgentPlace, runs: number): Promise<void> {
    const counted = () => {
      const { total } = lab.agents.cost(session);
      return {
        sessions: lab.agents.sessions(session).length,
        input: total.input,
        output: total.output,
        cached: total.cached,
      };
    };
    const { calls, ...tokens } = truth();
    expect(calls).toBe(runs);
    await until(
      "the last run",
      () => JSON.stringify(counted()) === JSON.stringify({ sessions: runs, ...tokens }),
      5_000,
    ).catch(() => undefined);
    expect(counted()).toEqual({ sessions: runs, ...tokens });
    await until("the end of the last run", () => lab.agents.list(session).length === 0, 5_000);
  }

  test("is counted for each of the runs that are typed", async () => {
    const place = await ready();
    for (let run = 1; run <= RUNS; run += 1) {
      place.shell.run(`${place.command} ${options} 'SAY{hi}' </dev/null >/dev/null 2>&1; echo "ended $((${run}))"`);
      await until(`run ${run}`, () => place.shell.output().includes(`ended ${run}\r\n`), 60_000);
    }
    await everythingIsCounted(place, RUNS);
  });

  test("is counted for each of the runs of a loop", async () => {
    const place = await ready();
    place.shell.run(
      `for run in $(seq ${RUNS}); do ${place.command} ${options} 'SAY{hi}' </dev/null >/dev/null 2>&1; done; echo "all $((1))"`,
    );
    await until("the loop", () => place.shell.output().includes("all 1\r\n"), 120_000);
    await everythingIsCounted(place, RUNS);
  });
});
