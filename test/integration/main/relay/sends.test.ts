import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import type { Receipt } from "../../../../core/protocol/receipts.ts";
import { type AgentRelay, receiptsOf, startAgentRelay } from "../../../support/agent-relay.ts";
import { until } from "../../../support/until.ts";

const states = ({ history }: Receipt) => history.map(({ state }) => state);
const isFinal = ({ final }: Receipt) => final;
/** Types keys as a person at a terminal of the session does. */
const pressKeys = ({ client }: AgentRelay, shell: ShellId, data: string) =>
  client.client.ask("writeShell", { shell, data, raw: true });

describe.each(["claude", "codex", "gemini"] as const)("prompts for %s", (kind) => {
  test("a prompt is pasted and entered, and its receipt follows it to the agent's transcript", async () => {
    await using lab = await startAgentRelay();
    const shell = await lab.shell();
    await lab.start(kind, shell);
    const sent = await lab.send(shell, "Explain this\nin two lines");
    expect(sent).toMatchObject({ shellId: shell, agentType: kind, state: "queued", final: false, by: "test" });
    const done = await lab.receiptOf(sent.id, isFinal);
    expect(states(done)).toEqual(["queued", "written", "echoed", "accepted", "started"]);
    const long = await lab.send(shell, "a long text ".repeat(200));
    expect(states(await lab.receiptOf(long.id, isFinal))).toEqual([
      "queued",
      "written",
      "echoed",
      "accepted",
      "started",
    ]);
    expect(lab.relay.errors).toEqual([]);
  });
});

test("a prompt that the agent does not record is uncertain or stays echoed, never accepted", async () => {
  await using lab = await startAgentRelay();
  const shell = await lab.shell();
  await lab.start("claude", shell);
  const swallowed = await lab.send(shell, "/compact [swallow]");
  const waits = lab.relay.post({ method: "waitFor", params: { receipt: swallowed.id, state: "echoed" } });
  expect(JSON.parse((await waits).text)).toMatchObject({
    result: { id: shell, kind: "receipt", receipt: swallowed.id },
  });
  const quits = await lab.send(shell, "the end [quit]", { when: "now" });
  const ended = await lab.receiptOf(quits.id, isFinal);
  expect(ended).toMatchObject({ state: "uncertain" });
  expect(await lab.receiptOf(swallowed.id, isFinal)).toMatchObject({ state: "uncertain" });
  const never = await lab.relay.post({ method: "waitFor", params: { receipt: quits.id } });
  expect([never.status, never.headers.get("x-service-error")]).toEqual([409, "prompt_undelivered"]);
  const late = await lab.call("POST", "/prompts", { shellId: shell, text: "too late" });
  expect([late.status, late.text]).toEqual([400, expect.stringMatching(/No known agent/)]);
});

test("prompts wait for the agent's turn in their order, and can be moved, changed and cancelled until they are written", async () => {
  await using lab = await startAgentRelay();
  const shell = await lab.shell();
  await lab.start("claude", shell);
  const first = await lab.send(shell, "[busy 1500] first");
  await lab.receiptOf(first.id, ({ state }) => state === "started");
  const second = await lab.send(shell, "second");
  const third = await lab.send(shell, "third");
  const fourth = await lab.send(shell, "fourth");
  await lab.receiptOf(second.id, ({ waitsFor }) => waitsFor !== null);
  expect((await lab.call("PATCH", `/receipts/${third.id}`, { text: "third, changed", position: 1 })).status).toBe(200);
  expect(JSON.parse((await lab.call("DELETE", `/receipts/${fourth.id}`)).text)).toMatchObject({
    result: { state: "refused", reason: "cancelled", final: true },
  });
  expect((await receiptsOf(lab, `?shell=${shell}`)).map(({ id }) => id)).toEqual([third.id, second.id]);
  await lab.receiptOf(second.id, isFinal);
  expect(userMessages(lab.home)).toEqual(["[busy 1500] first", "third, changed", "second"]);
  const closed = await lab.call("DELETE", `/receipts/${second.id}`);
  expect([closed.status, closed.headers.get("x-service-error")]).toEqual([409, "prompt_sent"]);
  const missing = await lab.call("GET", "/receipts/99");
  expect(missing.headers.get("x-service-error")).toBe("unknown_receipt");
});

test("a prompt that is not written in time has expired, and says what it waited for", async () => {
  await using lab = await startAgentRelay();
  const shell = await lab.shell();
  await lab.start("claude", shell);
  const first = await lab.send(shell, "[busy 4000] first");
  await lab.receiptOf(first.id, ({ state }) => state === "started");
  const late = await lab.send(shell, "late", { expiresIn: 1 });
  const expired = await lab.receiptOf(late.id, isFinal);
  expect(expired).toMatchObject({ state: "expired", history: [{}, { evidence: expect.stringMatching(/working/) }] });
  expect(userMessages(lab.home)).toEqual(["[busy 4000] first"]);
});

test("where a person has typed, a prompt waits for Enter, and one for now is refused", async () => {
  await using lab = await startAgentRelay();
  const shell = await lab.shell();
  await lab.start("claude", shell);
  await pressKeys(lab, shell, "my own wor");
  const refused = await lab.send(shell, "over it", { when: "now" });
  expect(await lab.receiptOf(refused.id, isFinal)).toMatchObject({ state: "refused", reason: "draft_unsent" });
  const waiting = await lab.send(shell, "after it");
  await lab.receiptOf(waiting.id, ({ waitsFor }) => waitsFor?.includes("was not sent") === true);
  await pressKeys(lab, shell, "ds\r");
  expect(await lab.receiptOf(waiting.id, isFinal)).toMatchObject({ state: "started" });
  expect(userMessages(lab.home)).toEqual(["my own words", "after it"]);
});

test("at a shell's prompt nothing is executed, and in an unknown program a receipt ends at echoed", async () => {
  await using lab = await startAgentRelay();
  const shell = await lab.shell();
  await until("the prompt", () => lab.relay.relay.sessions.get(lab.relay.session).shells.find(shell)?.process === null);
  const refused = await lab.send(shell, "touch executed", { when: "now" });
  expect(await lab.receiptOf(refused.id, isFinal)).toMatchObject({ state: "refused", reason: "unexpected_program" });
  await lab.relay.command("writeToShell", { id: shell, data: "cat > taken\\n" });
  await until("cat", async () => {
    const sent = await lab.send(shell, "hello cat", { when: "now" });
    const end = await lab.receiptOf(sent.id, isFinal);
    return end.state === "echoed" ? end : undefined;
  });
  await until(
    "the line",
    () => existsSync(join(lab.home, "taken")) && readFileSync(join(lab.home, "taken"), "utf8") !== "",
  );
  expect(existsSync(join(lab.home, "executed"))).toBe(false);
});

/** The texts of the users' messages in the transcripts of Claude Code, oldest first. */
function userMessages(home: string): string[] {
  const folder = join(home, ".claude", "projects");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jsonl"));
  return files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .flatMap(({ type, message }) => (type === "user" ? [String(message.content)] : [])),
  );
}
