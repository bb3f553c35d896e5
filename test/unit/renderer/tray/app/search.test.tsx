// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SearchHit } from "../../../../../core/protocol/history-search.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { search as searchWords } from "../../../../../renderer/search/words.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { panelSession, renderPanel } from "../../../../support/render-panel.tsx";

const here = panelSession();
const there = panelSession({
  ...{ id: "session-0000000b", name: "docs" },
  shells: [{ id: 7, name: "build", running: true, ownerClientId: null }],
});

function hit(line: string, minute: number, parts: Partial<SearchHit> = {}): SearchHit {
  const from = line.indexOf("needle");
  const place = { in: "output", shellId: ShellId.parse(1), offset: minute } as const;
  const at = new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();
  return { ...place, at, line, from, length: "needle".length, before: ["before"], after: ["after"], ...parts };
}

const said: SearchHit = {
  ...{ in: "conversations", id: "c1", at: "2026-01-01T09:00:00.000Z", line: "find the needle", from: 9, length: 6 },
  ...{ before: [], after: [] },
  conversation: { agentType: "claude", agentSessionId: "abc", title: "Lost things" },
};

type Asked = { readonly session: string; readonly in: string; readonly query: string };

/** The panel over two sessions that answer a search. */
async function openPanel(found: Readonly<Record<string, readonly SearchHit[]>>, complete: () => boolean = () => true) {
  const asked: Asked[] = [];
  const rendered = await renderPanel({
    content: { sessions: [here, there] },
    answers: {
      search(wanted: Asked) {
        asked.push(wanted);
        return { hits: found[wanted.session] ?? [], complete: complete() };
      },
    },
  });
  return { ...rendered, asked, field: screen.getByRole("combobox", { name: words.search.label }) };
}

const status = () => within(screen.getByRole("main")).getByRole("status").textContent;
const groupNames = () => screen.getAllByRole("group").map((group) => group.getAttribute("aria-label"));

test("from three letters on every session is searched, and what was found follows what the panel has, by shell", async () => {
  const { user, field, asked } = await openPanel({
    [here.id]: [hit("a needle", 1), said],
    [there.id]: [
      hit("needle two", 5, { shellId: ShellId.parse(7) }),
      hit("gone needle", 2, { shellId: ShellId.parse(9) }),
    ],
  });
  await user.type(field, "ne");
  expect(status()).toBe(words.search.fromThree);
  await user.type(field, "w");
  // "New session" is the panel's own.
  await screen.findByRole("option", { name: /needle two/ });
  expect(groupNames()).toEqual([words.search.groups.actions, "build", words.shell(9), "rounding", "Lost things"]);
  expect(screen.getByRole("group", { name: words.shell(9) }).textContent).toContain(
    `docs · ${searchWords.groups.closed}`,
  );
  expect(screen.getByRole("option", { name: /a needle/ }).querySelector("b")?.textContent).toBe("needle");
  expect(status()).toBe("4 results");
  const last = asked.slice(-2).map(({ session, in: where, query }) => [session, where, query]);
  expect(last).toEqual([
    [here.id, "everything", "new"],
    [there.id, "session", "new"],
  ]);
});

test("Enter goes to the place of the chosen result, in its session; a conversation to where its agent runs", async () => {
  const two = hit("needle two", 5, { shellId: ShellId.parse(7) });
  const { user, field, calls } = await openPanel({ [here.id]: [said], [there.id]: [two] });
  await user.type(field, "needle");
  await screen.findByRole("option", { name: /needle two/ });
  await user.keyboard("{Enter}");
  const { before: _, after: __, ...place } = two;
  const opened = () => calls.filter(([name]) => name === "panel.open").map(([, params]) => params);
  expect(opened()).toEqual([{ id: SessionId.parse(there.id), place: { ...place, later: 0, query: "needle" } }]);
  // The popover shows what waits when it is opened the next time.
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.type(field, "needle");
  await screen.findByRole("option", { name: /find the needle/ });
  await user.keyboard("{ArrowUp}");
  expect(screen.getByRole("contentinfo").textContent).toContain(searchWords.go);
  await user.keyboard("{Enter}");
  expect(opened().at(-1)).toMatchObject({ id: here.id, place: { conversation: { agentSessionId: "abc" }, id: "c1" } });
});

test("Enter goes to no result of a former text while those of the new one are on their way", async () => {
  const { user, calls } = await renderPanel({
    content: { sessions: [here] },
    answers: {
      search: ({ query }: Asked) =>
        query === "needles" || query === "needle one"
          ? new Promise<never>(() => undefined)
          : { hits: [hit("needle one", 1)], complete: true },
    },
  });
  const field = screen.getByRole("combobox", { name: words.search.label });
  await user.type(field, "needle");
  await screen.findByRole("option", { name: /needle one/ });
  await user.type(field, "s{Enter}");
  expect(calls.map(([name]) => name)).not.toContain("panel.open");
  // A result that has the new text, too, is one of it: the search behind the place is for that.
  await user.keyboard("{Backspace}");
  await screen.findByRole("option", { name: /needle one/ });
  await user.type(field, " one{Enter}");
  const [, opened] = calls.find(([name]) => name === "panel.open") ?? [];
  expect(opened).toMatchObject({ place: { line: "needle one", query: "needle one" } });
});

test("of a shell the latest results are listed, and all of them once that is asked for", async () => {
  const { user, field } = await openPanel({ [here.id]: Array.from({ length: 9 }, (_, at) => hit(`needle ${at}`, at)) });
  await user.type(field, "needle");
  const more = await screen.findByRole("option", { name: words.search.more(6) });
  expect(screen.getAllByRole("option")).toHaveLength(4);
  await user.keyboard("{ArrowUp}");
  expect(more.getAttribute("aria-selected")).toBe("true");
  await user.keyboard("{Enter}");
  expect(screen.getAllByRole("option")).toHaveLength(9);
  const chosen = screen.getAllByRole("option").findIndex((one) => one.getAttribute("aria-selected") === "true");
  expect(chosen).toBe(3);
});

test("nothing is called missing before everything is indexed, and the search goes on until it is", async () => {
  let times = 0;
  const { user, field } = await openPanel({}, () => ++times > 4);
  await user.type(field, "qqq");
  await waitFor(() => expect(status()).toBe(`${words.search.nothing} · ${searchWords.partial}`));
  await waitFor(() => expect(status()).toBe(words.search.nothing), { timeout: 5000 });
});
