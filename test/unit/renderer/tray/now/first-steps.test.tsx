// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Agent } from "../../../../../core/protocol/agent-records.ts";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { panelClient, panelSession, renderPanel } from "../../../../support/render-panel.tsx";

const agent: Agent = {
  ...{ shellId: ShellId.parse(1), agentType: "claude", model: "m", sessionId: "a", state: "working" },
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
};
const steps = () => screen.queryByRole("list", { name: words.steps.title });
const buttons = () =>
  within(steps() ?? expect.unreachable("the steps are shown"))
    .getAllByRole("button")
    .map(({ textContent }) => textContent);

test("an empty relay offers a session first: its button asks for the name of one", async () => {
  const { user } = await renderPanel();
  expect(buttons()).toEqual([words.sessions.newSession, words.steps.copy]);
  await user.click(screen.getByRole("button", { name: words.sessions.newSession }));
  expect(await screen.findByRole("textbox", { name: words.sessions.newName })).toBeDefined();
});

test("the command that connects an agent is copied, and what could not be copied is said", async () => {
  const { user } = await renderPanel();
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValueOnce(undefined);
  onTestFinished(() => write.mockRestore());
  await user.click(screen.getByRole("button", { name: words.steps.copy }));
  expect(write).toHaveBeenCalledWith("service agents connect claude");
  expect(steps()?.textContent).toContain("service agents connect claude");
  expect(await screen.findByText(words.steps.copied)).toBeDefined();
  write.mockRejectedValueOnce(new Error("denied"));
  await user.click(screen.getByRole("button", { name: words.steps.copy }));
  expect(await screen.findByText(words.steps.notCopied)).toBeDefined();
});

test("a session in which nobody else is offers an invite, until somebody came", async () => {
  const { user, change } = await renderPanel({ content: { sessions: [panelSession()] } });
  expect(buttons()).toEqual([words.steps.copy, words.steps.inviteSomeone]);
  change({ sessions: [panelSession({ clients: [...panelSession().clients, panelClient({ id: 2, name: "Lin" })] })] });
  expect(buttons()).toEqual([words.steps.copy]);
  change({ sessions: [panelSession()] });
  await user.click(screen.getByRole("button", { name: words.steps.inviteSomeone }));
  expect(await screen.findByRole("dialog", { name: words.invite.title("orders") })).toBeDefined();
});

test("where there are several sessions, the invite lets choose one of them", async () => {
  const sessions = [panelSession(), panelSession({ id: "session-0000000b", name: "docs" })];
  const { user } = await renderPanel({ content: { sessions } });
  await user.click(screen.getByRole("button", { name: words.steps.inviteSomeone }));
  const dialog = await screen.findByRole("dialog", { name: words.invite.title("orders") });
  await user.selectOptions(within(dialog).getByRole("combobox", { name: words.invite.session }), "docs");
  expect(screen.getByRole("dialog", { name: words.invite.title("docs") })).toBeDefined();
});

test("no step is left while an agent runs", async () => {
  await renderPanel({ content: { sessions: [panelSession({ agents: [agent] })] } });
  expect(steps()).toBeNull();
});
