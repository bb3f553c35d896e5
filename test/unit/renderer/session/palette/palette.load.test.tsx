// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Palette } from "../../../../../renderer/session/palette/palette.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { renderView } from "../../../../support/render-view.tsx";

/** A part is read from the disk, and translated. */
const SLOW = { timeout: 10_000 };

// The part may have come in another file of this process.
await vi.hoisted(async () => (await import("../../../../support/own-modules.ts")).ownModules());
const code = vi.hoisted(() => ({ isAway: true }));
vi.mock("../../../../../renderer/session/palette/command-form.tsx", () => ({
  get CommandForm() {
    if (code.isAway) throw new TypeError("Failed to fetch");
    return () => <p>the form</p>;
  },
}));

test("a form whose code did not come is loaded again at the next opening", async () => {
  // React reports what a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user, view } = renderView(<Palette />);
  const openForm = async () => {
    act(() => view.ui.palette.set({ kind: "commands" }));
    await user.type(screen.getByRole("combobox", { name: words.palette.searchCommands }), "open a web page{Enter}");
  };
  await openForm();
  expect(await screen.findByText(shared.notLoaded, undefined, SLOW)).toBeDefined();
  act(() => view.ui.palette.set(undefined));
  code.isAway = false;
  await openForm();
  expect(await screen.findByText("the form", undefined, SLOW)).toBeDefined();
});
