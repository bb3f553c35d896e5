// @module-tag slow
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Receipt } from "../../core/protocol/receipts.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { objections, objectionsInThemes } from "../support/panel-objections.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
let folder: string;
beforeAll(async () => {
  desktop = await startDbusDesktop();
  folder = await mkdtemp(path.join(tmpdir(), "patchbay-prompts-"));
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;
const status = {
  session_id: "a-1",
  context_window: { context_window_size: 200_000, total_input_tokens: 82_000 },
  rate_limits: {
    five_hour: { used_percentage: 42, resets_at: IN_AN_HOUR },
    seven_day: { used_percentage: 93, resets_at: IN_AN_HOUR },
  },
};
const answer = {
  type: "assistant",
  uuid: "u-1",
  sessionId: "a-1",
  timestamp: new Date().toISOString(),
  message: {
    id: "msg-1",
    model: "claude-opus-4-6",
    stop_reason: "tool_use",
    content: [{ type: "tool_use" }],
    usage: { input_tokens: 2000, cache_read_input_tokens: 80_000, output_tokens: 5 },
  },
};

/** A command that runs what looks like a Claude Code in the middle of a turn, with the files and the status line of a real one. */
async function busyAgent(): Promise<string> {
  const file = path.join(folder, "@anthropic-ai", "claude-code", "cli.js");
  await mkdir(path.dirname(file), { recursive: true });
  const source = `
    const { mkdirSync, writeFileSync } = require("node:fs");
    const { spawn } = require("node:child_process");
    const home = process.env.CLAUDE_CONFIG_DIR;
    mkdirSync(home + "/sessions", { recursive: true });
    mkdirSync(home + "/projects/p", { recursive: true });
    writeFileSync(home + "/projects/p/a-1.jsonl", ${JSON.stringify(`${JSON.stringify(answer)}\n`)});
    const state = { sessionId: "a-1", cwd: process.cwd(), status: "busy", updatedAt: Date.now() };
    writeFileSync(home + "/sessions/" + process.pid + ".json", JSON.stringify(state));
    setInterval(() => {
      const hook = spawn("sh", [process.env.PATCHBAY_DATA + "/agent-hook", "claude", "status"], { stdio: ["pipe", "ignore", "ignore"] });
      hook.stdin.end(${JSON.stringify(JSON.stringify(status))});
    }, 1000);`;
  await writeFile(file, source);
  return `CLAUDE_CONFIG_DIR="${folder}/claude" "${process.execPath}" "${file}"`;
}

const Listed = z.object({ result: z.array(Receipt) });

async function receipts(app: TestApp): Promise<readonly Receipt[]> {
  return Listed.parse(await (await app.fetch("receipts?all=true")).json()).result;
}

async function waitingTexts(app: TestApp): Promise<readonly string[]> {
  return (await receipts(app)).filter(({ final }) => !final).map(({ text }) => text);
}

test("the panel shows quotas and context as gauges, and waiting prompts are moved, edited and cancelled by keyboard", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const { shellId } = (await app.call("createShell", { command: await busyAgent() })) as { shellId: number };
  await (await desktop.trayItem(app.pid)).choose("Show panel");
  const panel = await app.page("/tray/");
  await panel.getByRole("tab", { name: "Agents" }).press("Enter");

  const meter = (name: string) => panel.getByRole("meter", { name });
  await meter("Context of claude").waitFor();
  const shown = (name: string) => meter(name).getAttribute("aria-valuetext");
  await until("the context", async () => (await shown("Context of claude")) === "82K of 200K tokens, 41%");
  await meter("weekly window of claude").waitFor();
  expect(await shown("5-hour window of claude")).toBe("42% used");
  expect(await shown("weekly window of claude")).toBe("93% used");

  for (const text of ["one", "two", "three"]) {
    expect((await app.fetch("prompts", { shellId, text, expiresIn: 600 })).status).toBe(201);
  }
  const refused = await app.fetch("prompts", { shellId, text: "now", when: "now", expect: "vim" });
  expect(refused.status).toBe(201);
  const card = (id: number) => panel.getByRole("listitem", { name: `Prompt ${id}`, exact: true });
  await card(1).getByText("claude is working").waitFor();
  await card(3).getByText("after the prompts before it").waitFor();
  await panel.getByText("Not delivered (1)").press("Enter");
  await panel.getByText(/^refused · .*vim/).waitFor();
  expect(await objectionsInThemes(app, panel)).toEqual([]);

  await panel.getByRole("button", { name: "Send prompt 4 again" }).press("Enter");
  await panel.getByText("Prompt 4 is sent again, as prompt 5.").waitFor();
  expect((await receipts(app)).find(({ id }) => id === 5)).toMatchObject({ text: "now", when: "idle", expect: "vim" });
  await panel.getByRole("button", { name: "Cancel prompt 5" }).press("Enter");
  await card(5).waitFor({ state: "detached" });

  const up = panel.getByRole("button", { name: "Move prompt 3 up" });
  await up.press("Enter");
  await until("the new order", async () => (await waitingTexts(app)).join() === "one,three,two");
  const down = panel.getByRole("button", { name: "Move prompt 3 down" });
  await until("the end of the move", async () => (await down.getAttribute("aria-disabled")) === "false");
  await until("the focus on the button", () => up.evaluate((button) => button === document.activeElement));
  await up.press("Enter");
  await until("the new order", async () => (await waitingTexts(app)).join() === "three,one,two");
  // The first one stays the first, and the button keeps the focus.
  await until("the end of the move", async () => (await down.getAttribute("aria-disabled")) === "false");
  expect(await up.getAttribute("aria-disabled")).toBe("true");
  await up.press("Enter");
  await panel.getByRole("button", { name: "Move prompt 1 down" }).press("Enter");
  await until("the new order", async () => (await waitingTexts(app)).join() === "three,two,one");

  await panel.getByRole("button", { name: "Edit prompt 2" }).press("Enter");
  const field = panel.getByRole("textbox", { name: "Text of prompt 2" });
  await field.fill("left as it was");
  await field.press("Escape");
  await panel.getByRole("button", { name: "Edit prompt 2" }).press("Enter");
  expect(await field.inputValue()).toBe("two");
  await field.fill("two lines\nof text");
  expect(await objections(panel)).toEqual([]);
  await field.press("Control+Enter");
  await until("the new text", async () => (await waitingTexts(app)).join() === "three,two lines\nof text,one");
  await panel.getByRole("button", { name: "Cancel prompt 1" }).press("Enter");
  await card(1).waitFor({ state: "detached" });
  expect((await receipts(app)).find(({ id }) => id === 1)).toMatchObject({ state: "refused", reason: "cancelled" });
});
