// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PanelSession } from "../../../../preload/channels.ts";
import { words } from "../../../../renderer/tray/words/index.ts";
import { panelClient, panelSession, renderPanel } from "../../../support/render-panel.tsx";

const own = panelClient({ id: 1, name: "ann", role: "admin", clientKind: "desktop" });
const lin = panelClient({ id: 2, name: "Lin" });
const mira: PanelSession["awayGuests"][number] = {
  ...{ id: "guest-1", name: "Mira", role: "reader", device: "Firefox" },
  ...{ since: "2026-01-01T00:00:00.000Z", lastSeenAt: "2026-01-01T00:00:00.000Z", invite: null, clients: [] },
  expiresAt: "2099-01-01T00:00:00.000Z",
};

/** The people that the page of sessions lists for a session with these parts, by name; undefined: no list. */
async function listed(parts: Partial<PanelSession>): Promise<readonly (string | undefined)[] | undefined> {
  const { user } = await renderPanel({ content: { sessions: [panelSession(parts)] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const list = screen.queryByRole("list", { name: words.people.peopleIn("orders") });
  return (list === null ? undefined : within(list).getAllByRole("heading", { level: 3 }))?.map(
    ({ textContent }) => textContent?.split(" ")[0],
  );
}

test.each<readonly [string, Partial<PanelSession>, readonly string[] | undefined]>([
  ["an owner who is alone is not listed", { clients: [own] }, undefined],
  ["a person without an owner's rights is, with the role", { clients: [{ ...own, role: "writer" }] }, ["ann"]],
  ["with others, all of them are listed", { clients: [own, lin] }, ["ann", "Lin"]],
  ["so it is with a guest who is away", { clients: [own], awayGuests: [mira] }, ["ann", "Mira"]],
  ["people are listed where the user is not", { clients: [lin], self: undefined }, ["Lin"]],
])("%s", async (_, parts, expected) => {
  expect(await listed(parts)).toEqual(expected);
});

test("the row of the user says once where it is", async () => {
  const { user } = await renderPanel({ content: { sessions: [panelSession({ clients: [own, lin] })] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const list = screen.getByRole("list", { name: words.people.peopleIn("orders") });
  const [first] = within(list).getAllByRole("listitem");
  expect(first?.textContent).toContain(words.people.thisApp);
  expect(first?.textContent).not.toContain(words.people.app);
});
