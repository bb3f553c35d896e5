// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { words as shared } from "../../../../../renderer/ui/words.ts";
import { renderPanel } from "../../../../support/render-panel.tsx";

/** A part is read from the disk, and translated. */
const SLOW = { timeout: 10_000 };

// The part may have come in another file of this process.
await vi.hoisted(async () => (await import("../../../../support/own-modules.ts")).ownModules());
const code = vi.hoisted(() => ({ isAway: true }));
vi.mock("../../../../../renderer/tray/activity/activity-place.tsx", () => ({
  get ActivityPlace() {
    if (code.isAway) throw new TypeError("Failed to fetch");
    return () => <p>the activity</p>;
  },
}));

test("a place whose code did not come leaves the rest of the panel, and is loaded again the next time", async () => {
  // React reports what a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user } = await renderPanel();
  const { tabs } = words.panel;
  const goTo = (place: string) => user.click(screen.getByRole("tab", { name: place }));
  await goTo(tabs.activity);
  expect(await screen.findByText(shared.notLoaded, undefined, SLOW)).toBeDefined();
  await goTo(tabs.sessions);
  expect(await screen.findByText(words.sessions.none)).toBeDefined();
  code.isAway = false;
  await goTo(tabs.activity);
  expect(await screen.findByText("the activity", undefined, SLOW)).toBeDefined();
});
