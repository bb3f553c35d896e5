import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { claudeSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import { Question } from "../../core/protocol/questions.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { until } from "../support/until.ts";
import { claudeDecisions } from "./claude-decisions.ts";
import { agentPlace, installOnly } from "./programs.ts";
import { pause } from "./question-lab.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  await installOnly("claude");
  desktop = await startDbusDesktop();
}, 900_000);
afterAll(() => desktop[Symbol.asyncDispose]());

const Agents = z.array(z.looseObject({ sessionId: z.string(), state: z.string() }));
const Questions = z.object({ result: z.array(Question) });
const Made = z.object({ shellId: z.number() });

async function openQuestion(app: TestApp, command: string): Promise<Question> {
  return until(
    `the question about ${command}`,
    async () => {
      const { result } = Questions.parse(await (await app.fetch("questions")).json());
      return result.find(({ detail, state }) => state === "open" && detail.command === command);
    },
    60_000,
  );
}

async function openInbox(app: TestApp): Promise<Page> {
  await (await desktop.trayItem(app.pid)).choose("Show panel");
  const panel = await app.page("/tray/");
  await panel.getByRole("tab", { name: "Now", selected: true }).waitFor();
  return panel;
}

test("the real claude is answered by HTTP, in the panel and in its terminal in turn: one decision each", {
  timeout: 240_000,
}, async () => {
  using lab = new AgentLab();
  const { cwd, command, env } = await agentPlace(lab, "claude");
  planConnect(claudeSettingsFile("user", { env: { HOME: lab.home }, cwd })).apply();
  await using app = await launchApp({ args: ["--hidden"], env: { ...env, HOME: lab.home } });
  const panel = await openInbox(app);
  const { shellId: id } = Made.parse(await app.call("createShell", { cwd }));
  const press = (...keys: string[]) => app.call("sendKeys", { id, keys });
  const isIdle = async () =>
    Agents.parse(await app.call("getAgents")).some(({ sessionId, state }) => sessionId !== "" && state === "idle");
  const asks = async (word: string): Promise<Question> => {
    await until("the agent to take a prompt", isIdle, 60_000);
    await pause(1500);
    await press(`Do it. ASK{touch ${word}} SAY{Done.}`);
    await pause(500);
    await press("Enter");
    return openQuestion(app, `touch ${word}`);
  };
  const card = (word: string) => panel.getByRole("group", { name: `claude wants to run: touch ${word}` });
  const decided = async (word: string) => {
    await until("the tool's result", () => claudeDecisions(lab.home, word).length > 0, 30_000);
    return claudeDecisions(lab.home, word).map(({ rejected }) => rejected);
  };

  await press(`${command} --model claude-sonnet-4-6 --permission-mode default`, "Enter");
  const byHttp = await asks("made-one");
  await card("made-one").waitFor();
  expect((await app.fetch(`questions/${byHttp.id}/answer`, { option: "yes", wait: 15 })).status).toBe(200);
  expect(await decided("made-one")).toEqual([false]);

  await asks("made-two");
  await card("made-two").focus();
  await card("made-two").locator("[data-option][aria-disabled=false]").first().waitFor();
  await panel.keyboard.press("1");
  await card("made-two")
    .getByText(/^Answered by .*: Yes, this once\. Confirmed/)
    .waitFor();
  expect(await decided("made-two")).toEqual([false]);
  expect(existsSync(join(cwd, "made-two"))).toBe(true);

  await asks("made-three");
  await card("made-three").focus();
  await card("made-three").getByRole("button", { name: "No, and say why" }).press("Enter");
  await card("made-three").getByRole("textbox").fill("use another folder");
  await panel.keyboard.press("Enter");
  await card("made-three")
    .getByText(/^Answered by .*Confirmed/)
    .waitFor();
  expect(await decided("made-three")).toEqual([true]);
  expect(claudeDecisions(lab.home, "made-three")[0]?.text).toContain("use another folder");

  const inTerminal = await asks("made-four");
  await card("made-four").focus();
  await pause(700);
  await press("Enter");
  await card("made-four")
    .getByText(/^Answered in the terminal/)
    .waitFor();
  // The digit comes too late.
  await panel.keyboard.press("3");
  expect(await decided("made-four")).toEqual([false]);
  expect((await app.fetch(`questions/${inTerminal.id}/answer`, { option: "no", wait: 0 })).status).toBe(409);
  for (const word of ["made-one", "made-two", "made-three", "made-four"]) {
    expect(claudeDecisions(lab.home, word)).toHaveLength(1);
  }
});
