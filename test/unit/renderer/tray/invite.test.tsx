// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { words } from "../../../../renderer/tray/words/index.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const said = words.invite;

test("a link is made once, and never shown for another choice than it was made with", async () => {
  let answer: (link: object) => void = () => undefined;
  const link = new Promise<object>((resolve) => {
    answer = resolve;
  });
  const content = { sessions: [panelSession()] };
  const { user, calls } = await renderPanel({ content, answers: { "panel.invite": link } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  await user.click(await screen.findByRole("button", { name: said.title("orders") }, { timeout: 20_000 }));
  const dialog = within(screen.getByRole("dialog", { name: said.title("orders") }));
  const asked = () => calls.filter(([name]) => name === "panel.invite").map(([, params]) => params);
  await user.click(dialog.getByRole("radio", { name: said.roles.owner }));
  await user.click(dialog.getByRole("button", { name: said.copyLocal }));
  await user.click(dialog.getByRole("button", { name: said.copyLocal }));
  expect(asked()).toEqual([expect.objectContaining({ role: "owner", copy: true })]);

  await user.click(dialog.getByRole("radio", { name: said.roles.reader }));
  await act(async () => answer({ url: "http://127.0.0.1:7717/s/a#k", expiresAt: "2030-01-01T00:00:00.000Z" }));
  expect(dialog.queryByRole("status")).toBeNull();

  await user.click(dialog.getByRole("button", { name: said.copyLocal }));
  await dialog.findByRole("status");
  expect(asked()).toEqual([
    expect.objectContaining({ role: "owner" }),
    expect.objectContaining({ role: "reader", ttl: 3600, uses: 1, outside: false }),
  ]);
});
