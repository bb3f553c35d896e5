// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { SearchHit } from "../../../../../core/protocol/history-search.ts";
import { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Recording } from "../../../../../core/protocol/recording.ts";
import type { OpResult } from "../../../../../core/protocol/relay-ops.ts";
import { hitKey } from "../../../../../renderer/search/results.ts";
import { search as words } from "../../../../../renderer/search/words.ts";
import { Search } from "../../../../../renderer/session/search/search.tsx";
import type { SessionHost } from "../../../../../renderer/session/view/session-host.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

const at = "2026-01-01T10:00:00.000Z";

function output(index: number, shell = 1): SearchHit {
  const around = { before: ["before it"], after: ["after it"] };
  const line = `row ${index} of results`;
  return { in: "output", shellId: ShellId.parse(shell), offset: 1000 - index, at, line, from: 4, length: 3, ...around };
}

function openSearch(
  hits: readonly SearchHit[],
  recording: Recording = "on",
  scene = "six",
  host: Partial<SessionHost> = {},
) {
  const search = vi.fn(async ({ query, limit = 50 }: { query?: string | undefined; limit?: number | undefined }) => ({
    hits: query === undefined ? [] : hits.slice(0, limit),
    complete: true,
    recording,
    conversations: true,
  }));
  const readAround = vi.fn(async (): Promise<OpResult<"readAround">> => {
    return { cols: 80, before: "", after: "", from: 0, to: 0, times: [], sizes: [[0, 80, 24]] };
  });
  const rendered = renderView(<Search />, { host: { search, readAround, ...host }, scene });
  act(() => rendered.view.ui.searchOpen.set(true));
  return { ...rendered, search, readAround, field: screen.getByRole("combobox", { name: words.field }) };
}

const selected = () => screen.getAllByRole("option").findIndex((one) => one.getAttribute("aria-selected") === "true");

test("results come as one types, from three letters on, grouped and with the matched letters in bold", async () => {
  const { user, field, search } = openSearch([output(0), output(1, 2)]);
  await user.type(field, "ro");
  await waitFor(() => expect(search).toHaveBeenCalled());
  expect(search.mock.calls.every(([{ query }]) => query === undefined)).toBe(true);
  expect(screen.getByRole("status").textContent).toBe(words.tooShort);
  await user.type(field, "w");
  const lines = await screen.findAllByRole("option");
  expect(search.mock.lastCall?.[0]).toEqual({ query: "row", in: "everything", regex: false, limit: 50 });
  expect(lines.map((line) => line.querySelector("b")?.textContent)).toEqual(["0 o", "1 o"]);
  expect(screen.getAllByRole("group").map((group) => group.getAttribute("aria-label"))).toContain("migrations");
  expect(screen.getByRole("status").textContent).toBe("2 results");
  expect(within(screen.getByRole("region", { name: words.around })).getByText("before it")).toBeDefined();
});

test("two characters are enough where they may be a word", async () => {
  const { user, field, search } = openSearch([output(0)]);
  await user.type(field, "失敗");
  await waitFor(() => expect(search.mock.lastCall?.[0]).toMatchObject({ query: "失敗" }));
});

test("arrows move the selection, a place and a shell narrow the search, Escape closes", async () => {
  const { user, field, search, view } = openSearch([output(0), output(1), output(2)]);
  await user.type(field, "row{ArrowDown}");
  await screen.findAllByRole("option");
  await user.type(field, "{ArrowDown}{ArrowDown}{ArrowUp}");
  expect(selected()).toBe(1);
  await user.click(screen.getByRole("button", { name: words.places.output }));
  await waitFor(() => expect(search.mock.lastCall?.[0]).toMatchObject({ in: "output" }));
  expect(document.activeElement).toBe(field);
  await user.click(screen.getByRole("button", { name: words.onlyIn("api server") }));
  await waitFor(() => expect(search.mock.lastCall?.[0]).toMatchObject({ in: "output", shell: 1 }));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: words.places.chat }).disabled).toBe(true);
  act(() => void screen.getByRole("dialog").dispatchEvent(new Event("cancel", { cancelable: true })));
  expect(view.ui.searchOpen.get()).toBe(false);
});

test("Enter opens a tile of the history where no terminal keeps a line, and the search goes on at that result", async () => {
  const { user, field, view, calls } = openSearch([output(0, 99), output(1, 99)]);
  await user.type(field, "row");
  await screen.findAllByRole("option");
  await user.type(field, "{ArrowDown}{Enter}");
  await waitFor(() => expect(view.ui.searchOpen.get()).toBe(false));
  expect(calls).toContainEqual(["openTile", { type: "history", shell: 99, offset: 999, length: 3 }]);
  expect(view.ui.searched.get().chosen).toBe(hitKey(output(1, 99)));
  expect(selected()).toBe(1);
  await user.type(field, "x");
  expect(view.ui.searched.get().chosen).toBeUndefined();
});

test("Enter reads a place in the search where no tile may be opened, and Escape comes back to the result", async () => {
  const { user, field, readAround, view } = openSearch([output(0, 99), output(1, 99)], "on", "reader");
  await user.type(field, "row");
  await screen.findAllByRole("option");
  await user.type(field, "{ArrowDown}{Enter}");
  await waitFor(() => expect(readAround).toHaveBeenCalledWith({ shell: 99, offset: 999 }));
  expect(await screen.findByText(words.place.gone)).toBeDefined();
  act(() => void screen.getByRole("dialog").dispatchEvent(new Event("cancel", { cancelable: true })));
  expect(view.ui.searchOpen.get()).toBe(true);
  expect(selected()).toBe(1);
});

test("who follows somebody reads a place in the search: a tile of their own would end that", async () => {
  const following = { target: createStore<ClientId | undefined>(ClientId.parse(2)), follow: vi.fn() };
  const { user, field, readAround, calls } = openSearch([output(0, 99)], "on", "six", { following });
  await user.type(field, "row");
  await screen.findAllByRole("option");
  await user.type(field, "{Enter}");
  await waitFor(() => expect(readAround).toHaveBeenCalledWith({ shell: 99, offset: 1000 }));
  expect(calls.map(([name]) => name)).not.toContain("openTile");
});

test("a search goes on at a result that is not among the latest ones", async () => {
  const hits = Array.from({ length: 400 }, (_, index) => output(index));
  const { view, user, field, search } = openSearch(hits);
  await user.type(field, "row");
  await screen.findAllByRole("option");
  act(() => view.ui.searched.set({ ...view.ui.searched.get(), chosen: hitKey(output(120)) }));
  await waitFor(() => expect(search.mock.lastCall?.[0]).toMatchObject({ limit: 250 }));
  await waitFor(() => expect(selected()).toBe(120));
});

test("a place that is read in the search can be opened as a tile, or its shell", async () => {
  const { user, field, readAround, view, calls } = openSearch([output(0)]);
  await user.type(field, "row");
  await screen.findAllByRole("option");
  await user.type(field, "{Shift>}{Enter}{/Shift}");
  await waitFor(() => expect(readAround).toHaveBeenCalledWith({ shell: 1, offset: 1000 }));
  expect(screen.getByRole("button", { name: words.place.goTo })).toBeDefined();
  await user.click(screen.getByRole("button", { name: words.place.asTile }));
  expect(calls).toContainEqual(["openTile", { type: "history", shell: 1, offset: 1000, length: 3 }]);
  expect(view.ui.searchOpen.get()).toBe(false);
});

test("Enter goes to the line in the terminal that keeps it, and to a message in the chat", async () => {
  const message: SearchHit = { ...output(1), in: "chat", id: "2" };
  delete message.shellId;
  const { user, field, view, calls } = openSearch([output(0), message]);
  const reveal = vi.fn((_line: object, _show: boolean) => true);
  view.terminals.byTile.set(1 as never, { reveal } as never);
  await user.type(field, "row");
  await screen.findAllByRole("option");
  await user.type(field, "{Enter}");
  await waitFor(() =>
    expect(reveal).toHaveBeenLastCalledWith(expect.objectContaining({ line: "row 0 of results" }), true),
  );
  expect(calls).toContainEqual(["focusTile", { key: 1 }]);
  expect(view.ui.searchOpen.get()).toBe(false);
  await user.type(field, "{ArrowDown}{Enter}");
  expect([view.ui.chatOpen.get(), view.ui.chatMessage.get()]).toEqual([true, 2]);
});

test("Enter goes to no result of a former text while those of the new one are on their way", async () => {
  const { user, field, search, view } = openSearch([output(0)]);
  await user.type(field, "row");
  await screen.findAllByRole("option");
  search.mockReturnValue(new Promise<never>(() => undefined));
  await user.type(field, "s{Enter}");
  expect(view.ui.searchOpen.get()).toBe(true);
});

test("more results are asked for at the end of the list, and the last ones say that there are older ones", async () => {
  const { user, field, search } = openSearch(Array.from({ length: 5000 }, (_, index) => output(index)));
  await user.type(field, "row");
  await screen.findAllByRole("option");
  expect(screen.getByRole("status").textContent).toBe(words.latest(50));
  for (let page = 0; page < 7; page++) await user.type(field, "{PageDown}");
  await waitFor(() => expect(search.mock.lastCall?.[0]).toMatchObject({ limit: 250 }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(words.latest(250)));
  for (let page = 0; page < 26; page++) await user.type(field, "{PageDown}");
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(words.most(1000)));
});

test("what is not recorded is said, with the command that turns it on", async () => {
  const { user } = openSearch([], "unasked");
  expect(await screen.findByText(words.recording.unasked.title)).toBeDefined();
  expect(screen.getByText("service history on")).toBeDefined();
  await user.click(screen.getByRole("button", { name: words.copy }));
  expect(await navigator.clipboard.readText()).toBe("service history on");
});

test("a failed search says why, and nothing found says what was looked for", async () => {
  const { user, field, search } = openSearch([]);
  await user.type(field, "qqq");
  expect(await screen.findByText(words.none("qqq"))).toBeDefined();
  search.mockRejectedValueOnce(new Error("The relay is busy."));
  await user.type(field, "q");
  expect((await screen.findByRole("alert")).textContent).toBe(words.failed("The relay is busy."));
});

test("a search that has failed without the connection is made again when the connection is back", async () => {
  const { user, field, search, connect } = openSearch([]);
  search.mockRejectedValue(new Error("The relay is away."));
  connect(false);
  await user.type(field, "row");
  await screen.findByRole("alert");
  search.mockResolvedValue({ hits: [output(0)], complete: true, recording: "on", conversations: true });
  connect(true);
  expect(await screen.findAllByRole("option")).toHaveLength(1);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a search that was not complete is asked again until it is, and what is not found yet is not called missing", async () => {
  const { user, field, search } = openSearch([output(0)]);
  const asked = () => search.mock.calls.filter(([{ query }]) => query === "row").length;
  search.mockImplementation(async ({ query }) => ({
    hits: query === "row" && asked() > 1 ? [output(0)] : [],
    complete: asked() > 2,
    recording: "on" as const,
    conversations: true,
  }));
  const patient = { timeout: 5000 };
  await user.type(field, "row");
  expect(await screen.findByText(words.noneYet("row"))).toBeDefined();
  expect(screen.queryByText(words.none("row"))).toBeNull();
  const status = () => screen.getByRole("status").textContent;
  await waitFor(() => expect(status()).toBe(`1 result · ${words.partial}`), patient);
  await waitFor(() => expect(status()).toBe("1 result"), patient);
  expect(asked()).toBe(3);
});
