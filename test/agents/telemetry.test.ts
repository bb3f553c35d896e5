import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { AgentCost } from "../../core/protocol/agent-records.ts";
import { until } from "../support/until.ts";
import { type AgentProgram, installOnly } from "./programs.ts";
import { QuestionLab } from "./question-lab.ts";

const KINDS = ["claude", "codex"] as const satisfies readonly AgentProgram[];

beforeAll(() => installOnly(...KINDS), 900_000);

/** Returns the lines of docs/reference/telemetry.md that have an agent tell of itself. */
function documented(kind: (typeof KINDS)[number]) {
  const lines = readFileSync("docs/reference/telemetry.md", "utf8").split("\n");
  const start = lines.find((line) => line === kind || line.startsWith(`${kind} -`)) ?? "";
  return { variables: lines.filter((line) => line.startsWith("export ")).join("; "), words: start.slice(kind.length) };
}

/** Each kind as the documentation has it started, in a shell of a real relay, against the stub of its model. */
test.each(KINDS)("%s counts its calls as its transcript and the stub do", { timeout: 180_000 }, async (program) => {
  const { variables, words } = documented(program);
  await using agent = await QuestionLab.open({
    program,
    words: `${words} 'SAY{Hello.}'`,
    within: (command) => `${variables}; OTEL_BLRP_SCHEDULE_DELAY=500 OTEL_LOGS_EXPORT_INTERVAL=500 ${command}`,
    connect: () => undefined,
  });
  await until("the answer", () => agent.truth().calls > 0, 60_000);
  await agent.shows("Hello.");
  await agent.idle();
  const { calls, input, output, cached } = agent.truth();
  const { told, counted } = await until(
    "what the agent tells",
    async () => {
      const { explain } = await agent.relay.command<AgentCost>("getAgentCost", { explain: true });
      const [session] = explain?.sessions ?? [];
      return session?.told?.calls === calls && session.counted === calls ? session : undefined;
    },
    60_000,
  );
  expect(counted).toBe(calls);
  expect(told).toMatchObject({ input, output, cached });
  const path = `/v1/sessions/${agent.relay.session}/shells/${agent.shell}/agents`;
  const evidence = await agent.relay.request("GET", path);
  expect(evidence.text).toContain('"source":"telemetry"');
});
