import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decision, event, type HookReporter, hooksOfShell } from "../support/agent-questions.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { objections, objectionsInThemes } from "../support/panel-objections.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
let folder: string;
beforeAll(async () => {
  desktop = await startDbusDesktop();
  folder = await mkdtemp(path.join(tmpdir(), "patchbay-questions-"));
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("questions are answered by keyboard alone, with the receipt; one that closes meanwhile keeps its place", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openInbox(app);
  await panel.getByText("Nothing waits for you").waitFor();
  expect(await objections(panel)).toEqual([]);

  const shell = await agentShell(app);
  const first = shell.ask("touch first");
  await panel.getByRole("group", { name: "claude wants to run: touch first" }).waitFor();
  const second = shell.ask("touch second");
  const third = shell.ask("rm -rf third");
  await panel.getByRole("tab", { name: "Now 3 wait for you" }).waitFor();
  const card = (name: string) => panel.getByRole("group", { name: `claude wants to run: ${name}` });
  // One card is open: the one that has the focus.
  await card("rm -rf third").focus();
  await card("rm -rf third").getByText("deletes files").waitFor();
  expect(await objectionsInThemes(app, panel)).toEqual([]);

  // Tab leads from the tabs over the settings to the first question, the arrow keys from there.
  await panel.getByRole("tab", { name: "Now" }).focus();
  await panel.keyboard.press("Tab");
  await panel.keyboard.press("Tab");
  await until("the focus on the first question", () => hasFocus(panel, "claude wants to run: touch first"));
  await takesDigits(card("touch first"));
  await panel.keyboard.press("1");
  expect(JSON.parse(await first)).toMatchObject(decision("allow"));
  await shell.report(event("PostToolUse", "touch first"));
  await card("touch first")
    .getByText(/^Answered by .*: Yes, this once\. Confirmed/)
    .waitFor();
  // It has still the focus, and another digit answers nothing.
  await panel.keyboard.press("1");
  await panel.keyboard.press("ArrowDown");
  await until("the focus on the second question", () => hasFocus(panel, "claude wants to run: touch second"));

  // Answered elsewhere while it has the focus: it stays and says by whom, so that a digit does not answer the next one.
  expect((await app.fetch("questions/2/answer", { option: "no", wait: 0 })).status).toBe(200);
  expect(JSON.parse(await second)).toMatchObject(decision("deny"));
  await card("touch second")
    .getByText(/^Answered by .*: No/)
    .waitFor();
  await panel.keyboard.press("1");
  await panel.keyboard.press("ArrowDown");
  await until("the focus on the third question", () => hasFocus(panel, "claude wants to run: rm -rf third"));
  expect(await openIds(app)).toContain(3);

  // Right leads to the options; Escape leaves the text field and not the panel.
  await card("rm -rf third").getByRole("button", { name: "No, and say why" }).press("Enter");
  await panel.keyboard.type("use the bin 1");
  expect(await openIds(app)).toContain(3);
  await panel.keyboard.press("Escape");
  await until("the focus on the question again", () => hasFocus(panel, "claude wants to run: rm -rf third"));
  await card("rm -rf third").getByRole("textbox").focus();
  await panel.keyboard.press("Enter");
  expect(JSON.parse(await third)).toMatchObject(decision("deny", { message: "use the bin 1" }));

  // A policy answers without asking; the inbox says which, and it is removed where the budgets are.
  const notes = path.join(await realpath(folder), "notes");
  await writeFile(notes, "");
  const rule = { effect: "allow", what: "reads", folder };
  expect((await app.fetch("policies", rule)).status).toBe(201);
  expect(JSON.parse(await shell.ask(`cat ${notes}`))).toMatchObject(decision("allow"));
  await panel.getByText("Answered by policies (1)").click();
  const answers = panel.getByRole("list", { name: "Answered by policies" });
  await answers.getByText(/^Answered by policy 1: Yes, this once/).waitFor();
  await answers.getByText(`Policy 1: Allow reads in ${path.dirname(notes)}`).waitFor();
  expect(await objections(panel)).toEqual([]);
  await panel.getByRole("tab", { name: "Agents" }).press("Enter");
  await panel.getByRole("button", { name: "Remove policy 1" }).click();
  await panel.getByRole("region", { name: "Policies" }).waitFor({ state: "detached" });
  const asked = shell.ask(`cat -n ${notes}`);
  await until("the question", async () => (await openIds(app)).length === 1);
  expect((await app.fetch("questions/5/answer", { option: "no", wait: 0 })).status).toBe(200);
  expect(JSON.parse(await asked)).toMatchObject(decision("deny"));
});

test("twenty questions stay clean for a screen reader, and the keyboard leads through all of them", {
  tags: "slow",
}, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openInbox(app);
  const shell = await agentShell(app);
  for (let number = 1; number <= 20; number++) {
    // The end of the app ends those that are still open.
    shell.ask(`touch file-${number}`).catch(() => undefined);
    await panel.getByRole("group", { name: `claude wants to run: touch file-${number}`, exact: true }).waitFor();
  }
  await panel.getByRole("tab", { name: "Now 20 wait for you" }).waitFor();
  expect(await objectionsInThemes(app, panel)).toEqual([]);
  await panel.getByRole("tab", { name: "Now" }).focus();
  // Over the settings to the first question.
  await panel.keyboard.press("Tab");
  await panel.keyboard.press("Tab");
  for (let number = 1; number < 20; number++) await panel.keyboard.press("ArrowDown");
  await until("the focus on the last question", () => hasFocus(panel, "claude wants to run: touch file-20"));
  await takesDigits(panel.getByRole("group", { name: "claude wants to run: touch file-20" }));
  await panel.keyboard.press("2");
  await until("one question less", async () => (await openIds(app)).length === 19);
  expect(await openIds(app)).not.toContain(20);
});

test("a notification says what is asked, and its button answers that question", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const shell = await agentShell(app);
  const asked = shell.ask("make release");
  const shown = await until("the notification", () =>
    desktop.notifications.find(({ title }) => title === "claude asks: Bash: make release"),
  );
  expect(shown.body).toContain("make release");
  expect(shown.actions).toEqual(["default", "Open", "button-0", "Yes, this once", "button-1", "No"]);
  desktop.activate(shown.id, "button-1");
  expect(JSON.parse(await asked)).toMatchObject(decision("deny"));
  await until("the answer in the relay", async () => (await openIds(app)).length === 0);
});

test("a lost race says who answered and what", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const panel = await openInbox(app);
  const shell = await agentShell(app);
  const asked = shell.ask("make deploy");
  const card = panel.getByRole("group", { name: "claude wants to run: make deploy" });
  await card.waitFor();
  // The panel's answer is held back in the app until another one was given.
  await app.electron.evaluate(({ ipcMain }) => {
    type Handler = (event: unknown, args: { operation: string }) => Promise<unknown>;
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    const run = handlers.get("panel.run");
    if (run === undefined) throw new Error("the panel has no handler");
    handlers.set("panel.run", async (from, args) => {
      if (args.operation === "answerQuestion")
        await new Promise((release) => Object.assign(globalThis, { releaseAnswer: release }));
      return run(from, args);
    });
  });
  await takesDigits(card);
  await panel.keyboard.press("1");
  await until("the answer on its way", () => app.electron.evaluate(() => "releaseAnswer" in globalThis));
  expect((await app.fetch("questions/1/answer", { option: "no", wait: 0 })).status).toBe(200);
  await app.electron.evaluate(() => (globalThis as unknown as { releaseAnswer: () => void }).releaseAnswer());
  await card.getByText(/^Your answer was not used\. Answered by .*: No\./).waitFor();
  expect(JSON.parse(await asked)).toMatchObject(decision("deny"));
  await card.getByRole("button", { name: "Dismiss" }).press("Enter");
  await until("the question closed for good", async () => (await openIds(app)).length === 0);
});

async function openInbox(app: TestApp): Promise<Page> {
  await (await desktop.trayItem(app.pid)).choose("Show panel");
  const panel = await app.page("/tray/");
  await panel.getByRole("tab", { name: "Now", selected: true }).waitFor();
  return panel;
}

function agentShell(app: TestApp): Promise<HookReporter> {
  return hooksOfShell(
    { url: app.relay.url, session: app.session },
    { file: path.join(folder, app.session), createShell: (command) => app.call("createShell", { command }) },
  );
}

async function openIds(app: TestApp): Promise<number[]> {
  const { result } = (await (await app.fetch("questions")).json()) as { result: { id: number; state: string }[] };
  return result.filter(({ state }) => state === "open").map(({ id }) => id);
}

/** Gives the focus to a card that has stood still for long enough to be answered. */
async function takesDigits(card: Locator): Promise<void> {
  await card.focus();
  await card.locator("[data-option][aria-disabled=false]").first().waitFor();
}

/** Whether the element of this name has the focus, or holds what has it. */
async function hasFocus(panel: Page, name: string): Promise<boolean> {
  const card = panel.getByRole("group", { name });
  return card.evaluate((element) => element === document.activeElement);
}
