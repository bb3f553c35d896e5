import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

let lab: WebLab;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-question-"));
  copyFileSync(process.execPath, join(folder, "claude"));
  lab = await startWebLab();
});

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls `createWorkspace` over and over, and writes down each answer's status. */
const AGENT = `
const { appendFileSync } = require("node:fs");
const { SERVICE_URL, SERVICE_SESSION, SERVICE_TOKEN } = process.env;
const call = async () => {
  const answer = await fetch(SERVICE_URL + "/v1/sessions/" + SERVICE_SESSION + "/remote/command", {
    method: "POST",
    headers: { "X-Service-Token": SERVICE_TOKEN, "Content-Type": "application/json" },
    body: JSON.stringify({ method: "createWorkspace", params: {} }),
  });
  appendFileSync(process.argv[2], answer.status + " ");
  if (answer.status !== 200) setTimeout(call, 200);
};
call();
setInterval(() => {}, 1000);
`;

const BUTTONS = [
  // The folder in a button's name may hold any letters.
  [/^Allow once$/, /^(403 )+200 $/, []],
  [/^Always for claude/, /^(403 )+200 $/, [{ agentType: "claude" }]],
  [/^No$/, /^(403 )+$/, []],
] as const;

for (const [index, [button, expected, allowed]] of BUTTONS.entries()) {
  const tags = index === 0 ? [] : ["slow"];
  test(`an agent's question stands in its tile, and ${button} answers it`, { tags }, async () => {
    const { page, id, context } = await lab.guest({ role: "admin" });
    const reader = await lab.guest({ role: "reader" });
    const { shellId } = await lab.command<{ shellId: number }>("createShell", { cwd: folder }, id);
    const script = join(folder, "agent.cjs");
    const answers = join(folder, `answers-${shellId}`);
    writeFileSync(script, AGENT);
    await lab.command("writeToShell", { id: shellId, data: `./claude '${script}' '${answers}'\\n` }, id);
    const question = page.locator(".tile .agent-question");
    await question.getByText("claude in this shell wants to control the session").waitFor();
    await page.locator(".tile[data-waits]").waitFor();
    await reader.page.getByText("It waits for an admin of this session").waitFor();
    await question.getByRole("button", { name: button }).click();
    if (allowed.length > 0) {
      // Nothing is answered yet, and the second step takes presses once it has stood still.
      expect(await lab.command("getShellRestrictions")).toMatchObject({ allowed: [] });
      await page.waitForTimeout(1_000);
      await question.getByRole("button", { name: "Yes, from now on" }).click();
    }
    await question.waitFor({ state: "detached" });
    const told = () => readFileSync(answers, "utf8");
    const seen = told().length;
    // Once it is allowed the agent calls no more, and its last call may be answered before the button's effect shows here.
    await until("the agent's answer after the button", () => told().endsWith("200 ") || told().length > seen + 8);
    expect(told()).toMatch(expected);
    expect(await lab.command("getShellRestrictions")).toMatchObject({ requests: [], allowed });
    for (const { agentType, folder: where } of (
      await lab.command<{ allowed: { agentType: string; folder: string }[] }>("getShellRestrictions")
    ).allowed) {
      await lab.command("forgetAgent", { agentType, folder: where });
    }
    await lab.command("closeShell", { id: shellId }, id);
    await reader.context.close();
    await context.close();
  });
}
