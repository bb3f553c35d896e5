// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { Palette } from "../../../../../renderer/session/palette/palette.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { renderView } from "../../../../support/render-view.tsx";

/** Forms are loaded on demand. */
const LOADED = { timeout: 20_000 };

function openPalette() {
  const rendered = renderView(<Palette />);
  act(() => rendered.view.ui.palette.set({ kind: "commands" }));
  return { ...rendered, field: screen.getByRole("combobox", { name: words.palette.searchCommands }) };
}

test("Enter on nothing does nothing, and the palette says that nothing matches", async () => {
  const { user, field, calls, view } = openPalette();
  await user.type(field, "qwxz{Enter}");
  expect(screen.getByText(words.palette.nothing("qwxz"))).toBeDefined();
  expect(calls).toEqual([]);
  expect(view.ui.palette.get()).toBeDefined();
});

test("the exact name of a place stands before commands that only have its letters, in bold", async () => {
  const { user, field, calls } = openPalette();
  await user.type(field, "release");
  const [first] = screen.getAllByRole("option");
  expect(first?.getAttribute("aria-selected")).toBe("true");
  expect(first?.querySelector("b")?.textContent).toBe("release");
  await user.keyboard("{Enter}");
  expect(calls).toEqual([["switchWorkspace", { index: 2 }]]);
});

test("help leads to the shortcuts and closes no tile", async () => {
  const { user, field, calls, view } = openPalette();
  await user.type(field, "help{Enter}");
  expect(calls).toEqual([]);
  expect(view.ui.shortcutsOpen.get()).toBe(true);
});

test("what is typed behind the name of a command that takes a text stands in its form", async () => {
  const { user, field, calls } = openPalette();
  await user.type(field, "open web page http://localhost:3000/a b");
  const [first, ...others] = await screen.findAllByRole("option", {}, LOADED);
  expect(first?.textContent).toContain("http://localhost:3000/a b");
  expect(others).toEqual([]);
  await user.keyboard("{Enter}");
  expect((await screen.findByRole<HTMLInputElement>("textbox", {}, LOADED)).value).toBe("http://localhost:3000/a b");
  expect(calls).toEqual([]);
});

test("no value is taken by a command that ends something, and no choice that does not begin like what is typed", async () => {
  const { user, field } = openPalette();
  await user.type(field, "open web page x");
  await screen.findAllByRole("option", {}, LOADED);
  for (const typed of ["remove a plugin cost", "move the tile to another workspace elease"]) {
    await user.clear(field);
    await user.type(field, typed);
    expect(screen.queryAllByRole("option")).toEqual([]);
  }
});

test("a choice behind the name of a command completes inline, and stands in its form", async () => {
  const { user, field, calls } = openPalette();
  await user.type(field, "move the tile to another workspace rel");
  const [first, ...others] = await screen.findAllByRole("option", {}, LOADED);
  expect(first?.querySelector(".detail")?.textContent).toBe("release");
  expect(others).toEqual([]);
  await user.keyboard("{Enter}");
  expect((await screen.findByRole<HTMLSelectElement>("combobox", {}, LOADED)).value).toBe("2");
  expect(calls).toEqual([]);
});

test("a choice of a fixed list is completed in the words of its form", async () => {
  const { user, field } = openPalette();
  await user.type(field, "restrict what programs in shells may do not");
  const found = await screen.findAllByRole("option", {}, LOADED);
  expect(found.map((line) => line.querySelector(".detail")?.textContent)).toEqual(["Not restricted"]);
});

describe("a command that is repeated", () => {
  const openForm = async (rendered: ReturnType<typeof openPalette>, typed: string) => {
    act(() => rendered.view.ui.palette.set({ kind: "commands" }));
    const field = screen.getByRole("combobox", { name: words.palette.searchCommands });
    await rendered.user.type(field, `${typed}{Enter}`);
    return screen.findByRole<HTMLInputElement>("textbox", {}, LOADED);
  };

  test("has the values of the last time, which what is typed replaces", async () => {
    const rendered = openPalette();
    const { user, calls } = rendered;
    await user.type(await openForm(rendered, "open a web page"), "http://localhost:1/{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const again = await openForm(rendered, "open a web page");
    expect(again.value).toBe("http://localhost:1/");
    await user.keyboard("http://localhost:2/{Enter}");
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toEqual(["openTile", expect.objectContaining({ url: "http://localhost:2/" })]);
  });

  test("keeps nothing that may be a secret, and nothing of a form that was cancelled", async () => {
    const rendered = openPalette();
    const { user } = rendered;
    await user.type(await openForm(rendered, "write a text to all shells"), "pass{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect((await openForm(rendered, "write a text to all shells")).value).toBe("");
    await user.keyboard("other");
    await user.click(screen.getByRole("button", { name: words.palette.cancel }));
    expect((await openForm(rendered, "write a text to all shells")).value).toBe("");
  });
});

test("a command whose form was cancelled meanwhile closes no other palette, and its failure is told", async () => {
  const answers: { resolve(result: unknown): void; reject(error: Error): void }[] = [];
  const execute = () => new Promise<unknown>((resolve, reject) => void answers.push({ resolve, reject }));
  const { user, view } = renderView(<Palette />, { host: { execute } });
  const runAndCancel = async () => {
    act(() => view.ui.palette.set({ kind: "commands" }));
    const field = screen.getByRole("combobox", { name: words.palette.searchCommands });
    await user.type(field, "open web page http://localhost:3000/a");
    await screen.findAllByRole("option", {}, LOADED);
    await user.keyboard("{Enter}");
    await user.type(await screen.findByRole("textbox", {}, LOADED), "{Enter}");
    await user.click(screen.getByRole("button", { name: words.palette.cancel }));
  };
  await runAndCancel();
  act(() => view.ui.palette.set({ kind: "places" }));
  await act(async () => answers[0]?.resolve({}));
  expect(view.ui.palette.get()).toEqual({ kind: "places" });
  await runAndCancel();
  await act(async () => answers[1]?.reject(new Error("No page answers there.")));
  expect(view.ui.toasts.shown.get().map(({ message }) => message)).toEqual(["No page answers there."]);
});
