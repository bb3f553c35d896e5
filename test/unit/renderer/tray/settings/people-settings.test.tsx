// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { Policy } from "../../../../../core/protocol/policies.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { roleWords } from "../../../../../renderer/ui/words.ts";
import { panelSession, renderPanel } from "../../../../support/render-panel.tsx";

const away = {
  ...{ id: "guest-1", name: "Mira", role: "reader" as const, device: "Firefox", invite: null, clients: [] },
  ...{ since: "2026-01-01T00:00:00.000Z", lastSeenAt: "2026-01-01T00:00:00.000Z" },
  expiresAt: "2099-01-01T00:00:00.000Z",
};
const invite = {
  ...{ id: "i1", session: "session-0000000b", role: "writer", usesLeft: 5, createdAt: "" },
  expiresAt: "2099-01-01T00:00:00.000Z",
};

async function open(section: string, parts: Parameters<typeof renderPanel>[0]) {
  const panel = await renderPanel({ ...parts, isSettings: true });
  await screen.findByRole("navigation", { name: words.settings.sections }, { timeout: 20_000 });
  await panel.user.click(screen.getByRole("button", { name: section }));
  return panel;
}

test("People and keys has the people who may come back, by session, and the open invites, which are revoked there", async () => {
  const sessions = [panelSession({ awayGuests: [away] }), panelSession({ id: "session-0000000b", name: "docs" })];
  const { user, calls } = await open(words.settings.names.keys, {
    content: { sessions },
    answers: {
      listInvites: (params: object) => (Reflect.get(params, "session") === invite.session ? [invite] : []),
    },
  });
  const people = within(screen.getByRole("region", { name: words.people.title }));
  expect(people.getAllByRole("list").map((list) => list.getAttribute("aria-label"))).toEqual([
    words.people.peopleIn("orders"),
  ]);
  expect(people.getByRole("button", { name: words.people.roleOf("Mira", roleWords.reader) })).toBeTruthy();
  const links = within(await screen.findByRole("region", { name: words.invite.open }));
  expect(links.getByRole("listitem").textContent).toContain(`docs · ${roleWords.writer}`);
  const revoke = links.getByRole("button", { name: /^Revoke/ });
  // Links of several sessions may have one role and one end.
  const described = document.getElementById(revoke.getAttribute("aria-describedby") ?? "");
  expect(described?.textContent).toContain("docs");
  await user.click(revoke);
  expect(calls).toContainEqual(["revokeInvite", { session: invite.session, invite: "i1" }]);
  expect(screen.getByRole("region", { name: words.keys.title })).toBeTruthy();
});

test("with nobody else and no invite that is said once", async () => {
  await open(words.settings.names.keys, { content: { sessions: [panelSession()] } });
  expect(screen.getByText(words.people.alone)).toBeTruthy();
  expect(screen.queryByRole("region", { name: words.invite.open })).toBeNull();
});

test("Agents and budgets has the policies, or says how one is made", async () => {
  const policy = Policy.parse({
    ...{ id: 3, effect: "allow", what: "command", folder: "/project", command: "npm test", agentType: null },
    ...{ addedAt: "2026-03-14T10:00:00.000Z", addedBy: "ann" },
  });
  const content = { sessions: [panelSession()] };
  const { page } = await open(words.settings.names.agents, { content });
  await waitFor(() => expect(screen.getByText("service policy add")).toBeTruthy());
  page.unmount();
  await open(words.settings.names.agents, { content, answers: { getPolicies: [policy] } });
  const region = within(await screen.findByRole("region", { name: words.policies.title }));
  expect(region.getByRole("button", { name: words.policies.remove(3) })).toBeTruthy();
  expect(screen.queryByText("service policy add")).toBeNull();
});
