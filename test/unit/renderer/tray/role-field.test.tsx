// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { Role } from "../../../../core/protocol/records.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { roleWords } from "../../../../renderer/ui/words.ts";
import { panelClient, panelSession, renderPanel } from "../../../support/render-panel.tsx";

async function openRoles() {
  const own = panelClient({ id: 1, name: "ann", role: "admin", clientKind: "desktop" });
  const lin = panelClient({ id: 2, name: "Lin", role: "reader" });
  const panel = await renderPanel({ content: { sessions: [panelSession({ clients: [own, lin] })] } });
  await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const label = words.people.roleOf("Lin", roleWords.reader);
  await panel.user.click(screen.getByRole("button", { name: label }));
  const changes = () => panel.calls.filter(([name]) => name === "changeRole").map(([, params]) => params);
  const radio = (role: Role) => screen.getByRole("radio", { name: roleWords[role] });
  return { ...panel, label, changes, radio };
}

test("each role says what it may do, in the words of the invite, and the one that a person has is marked", async () => {
  const { label, radio } = await openRoles();
  const list = within(screen.getByRole("dialog", { name: label }));
  expect(list.getAllByRole("radio")).toHaveLength(Role.options.length);
  for (const role of Role.options) {
    const described = document.getElementById(radio(role).getAttribute("aria-describedby") ?? "");
    expect(described?.textContent).toBe(words.invite.rights[role]);
    expect(radio(role).getAttribute("aria-checked")).toBe(String(role === "reader"));
  }
  expect(words.invite.about.reader).toContain(words.invite.rights.reader);
});

test("the role that a person has has the focus; arrow keys change none, Enter gives one and leads back to the button", async () => {
  const { user, label, changes, radio } = await openRoles();
  expect(document.activeElement).toBe(radio("reader"));
  await user.keyboard("{ArrowUp}");
  expect([document.activeElement, changes()]).toEqual([radio("writer"), []]);
  await user.keyboard("{Enter}");
  expect(changes()).toEqual([{ session: "session-0000000a", client: 2, role: "writer" }]);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: label }));
});

test("Escape and the role that a person has already change nothing", async () => {
  const { user, label, changes, radio } = await openRoles();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: label }));
  await user.click(radio("reader"));
  expect([screen.queryByRole("dialog"), changes()]).toEqual([null, []]);
});

test("the list opens where there is room, and keeps its side while it is open", async () => {
  const rect = vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 560, 100, 40));
  onTestFinished(() => void rect.mockRestore());
  const { label, change } = await openRoles();
  const { style } = screen.getByRole("dialog", { name: label });
  expect([style.top, style.bottom]).toEqual(["", "86px"]);
  rect.mockReturnValue(new DOMRect(0, 10, 100, 40));
  change({ costToday: 1 });
  expect([style.top, style.bottom]).toEqual(["", "86px"]);
});

test("the list opens at the side with more room, and is no higher than that", async () => {
  const { user, label } = await openRoles();
  await user.keyboard("{Escape}");
  // A phone in landscape, and a row that ends below the middle.
  Reflect.get(window, "happyDOM").setViewport({ width: 844, height: 390 });
  const rect = vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 170, 100, 40));
  onTestFinished(() => void rect.mockRestore());
  const open = async () => {
    await user.click(screen.getByRole("button", { name: label }));
    const { style } = screen.getByRole("dialog", { name: label });
    return [style.top, style.bottom, style.getPropertyValue("--popover-room")];
  };
  expect(await open()).toEqual(["216px", "", "166px"]);
  await user.keyboard("{Escape}");
  rect.mockReturnValue(new DOMRect(0, 190, 100, 40));
  expect(await open()).toEqual(["", "206px", "176px"]);
});
