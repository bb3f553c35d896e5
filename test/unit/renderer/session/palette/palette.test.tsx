// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Palette } from "../../../../../renderer/session/palette/palette.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { renderView } from "../../../../support/render-view.tsx";

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
  const [first, ...others] = screen.getAllByRole("option");
  expect(first?.textContent).toContain("http://localhost:3000/a b");
  expect(others).toEqual([]);
  await user.keyboard("{Enter}");
  expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("http://localhost:3000/a b");
  expect(calls).toEqual([]);
});

test("no text is taken by a command that ends something, or by one whose first value is chosen", async () => {
  const { user, field } = openPalette();
  await user.type(field, "remove a plugin cost");
  expect(screen.queryAllByRole("option")).toEqual([]);
});

test("a command whose form was cancelled meanwhile closes no other palette, and its failure is told", async () => {
  const answers: { resolve(result: unknown): void; reject(error: Error): void }[] = [];
  const execute = () => new Promise<unknown>((resolve, reject) => void answers.push({ resolve, reject }));
  const { user, view } = renderView(<Palette />, { host: { execute } });
  const runAndCancel = async () => {
    act(() => view.ui.palette.set({ kind: "commands" }));
    const field = screen.getByRole("combobox", { name: words.palette.searchCommands });
    await user.type(field, "open web page http://localhost:3000/a{Enter}");
    await user.type(screen.getByRole("textbox"), "{Enter}");
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
