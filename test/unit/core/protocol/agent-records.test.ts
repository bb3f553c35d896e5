import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentStatus } from "../../../../core/protocol/agent-records.ts";

test("the decision about agents names every state that one can have", () => {
  const decision = readFileSync(join(import.meta.dirname, "../../../../docs/decisions/0008-agents.md"), "utf8");
  const states = decision.slice(decision.indexOf("has the states"), decision.indexOf("## Alternatives"));
  for (const state of AgentStatus.options) expect(states).toContain(`\`${state}\``);
});
