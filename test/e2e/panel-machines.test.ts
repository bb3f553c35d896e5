// @module-tag slow
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newRemoteId, Remotes } from "../../client/remotes.ts";
import { answer, decision, event, list, openShell, report } from "../support/agent-questions.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { startFleetLab } from "../support/fleet-lab.ts";
import { objections, objectionsInThemes } from "../support/panel-objections.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
let data: string;
beforeAll(async () => {
  desktop = await startDbusDesktop();
  data = await mkdtemp(path.join(tmpdir(), "patchbay-machines-"));
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  await rm(data, { recursive: true, force: true });
});

test("questions on other machines are answered by keyboard; a lost race says who was first, and one of a machine that is away is read", async () => {
  await using lab = await startFleetLab(["box"], {}, { members: ["laptop"] });
  const box = lab.relay("box");
  await using _client = await box.join();
  const { token } = await openShell(box);
  let runs = 0;
  const ask = (command: string) => {
    runs += 1;
    const output = report(box, token, event("PermissionRequest", command), `run-${runs}`);
    output.catch(() => undefined);
    return output;
  };
  const remotes = new Remotes(data);
  const addedAt = "2026-11-21T04:00:00.000Z";
  remotes.add("direct", { id: newRemoteId(), url: box.url, addedAt });
  remotes.add("pi", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
  remotes.noteSeen("pi", new Date(Date.now() - 3 * 3_600_000));
  const fleet = { broker: lab.broker.url, credentials: lab.broker.credentialsOf("laptop") };
  await writeFile(path.join(data, "fleet.json"), JSON.stringify(fleet));
  const first = ask("make deploy");
  await using app = await launchApp({ data, args: ["--hidden"], env: { SERVICE_TOKEN_DIRECT: box.key } });
  await (await desktop.trayItem(app.pid)).choose("Show panel");
  const panel = await app.page("/tray/");
  const card = (command: string) => panel.getByRole("group", { name: `claude wants to run: ${command}` });
  await card("make deploy").waitFor();
  await panel.getByRole("tab", { name: "Now 1 waits for you" }).waitFor();
  await card("make deploy")
    .getByText(/ · direct$/)
    .waitFor();
  expect(await objectionsInThemes(app, panel)).toEqual([]);

  await panel.getByRole("tab", { name: "Now" }).focus();
  // Over the settings to the question.
  await panel.keyboard.press("Tab");
  await panel.keyboard.press("Tab");
  await until("the focus on the question", () =>
    card("make deploy").evaluate((element) => element === document.activeElement),
  );
  await card("make deploy").locator("[data-option][aria-disabled=false]").first().waitFor();
  await panel.keyboard.press("1");
  expect(JSON.parse(await first)).toMatchObject(decision("allow"));
  await report(box, token, event("PostToolUse", "make deploy"), "done-1");
  await card("make deploy")
    .getByText(/^Answered by .*: Yes, this once\. Confirmed/)
    .waitFor();

  const second = ask("make release");
  await card("make release").waitFor({ timeout: 30_000 });
  await holdAnswers(app);
  await card("make release").focus();
  await card("make release").locator("[data-option][aria-disabled=false]").first().waitFor();
  await panel.keyboard.press("1");
  await until("the answer on its way", () => app.electron.evaluate(() => "releaseAnswer" in globalThis));
  const open = (await list(box)).find(({ state }) => state === "open");
  expect((await answer(box, open?.id ?? 0, { option: "no" })).status).toBe(200);
  await app.electron.evaluate(() => (globalThis as unknown as { releaseAnswer: () => void }).releaseAnswer());
  await card("make release")
    .getByText(/^Your answer was not used\. Answered by .*: No\./)
    .waitFor();
  expect(JSON.parse(await second)).toMatchObject(decision("deny"));

  // The broker keeps what the relay that leaves the fleet has asked last.
  void ask("make later");
  await until("the question", async () => (await list(box)).find(({ state }) => state === "open"));
  await box.relay.fleet?.[Symbol.asyncDispose]();
  // The question is there once, by the remote, which can be asked.
  await card("make later").waitFor({ timeout: 30_000 });
  expect(await card("make later").count()).toBe(1);
  await panel.getByRole("tab", { name: "Now 1 waits for you" }).waitFor();
  expect(await objections(panel)).toEqual([]);
  expect(await panel.content()).not.toContain(box.key);
});

/** Holds the panel's answers back in the app until the test calls `releaseAnswer` there. */
async function holdAnswers(app: TestApp): Promise<void> {
  await app.electron.evaluate(({ ipcMain }) => {
    type Handler = (event: unknown, args: unknown) => Promise<unknown>;
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    const run = handlers.get("panel.run");
    if (run === undefined) throw new Error("the panel has no handler");
    handlers.set("panel.run", async (from, args) => {
      if (Reflect.get(Object(args), "operation") === "answerMachineQuestion") {
        await new Promise((release) => Object.assign(globalThis, { releaseAnswer: release }));
      }
      return run(from, args);
    });
  });
}
