// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { words } from "../../../../../renderer/tray/words/index.ts";
import { panelSession, renderPanel } from "../../../../support/render-panel.tsx";

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

/** Moves fingers over the row of a session, from the first of these places to the others. */
async function swipe(...way: readonly (readonly Point[])[]) {
  const { calls } = await renderPanel({ content: { sessions: [panelSession()] } });
  const row = screen.getByRole("button", {
    name: words.running.session("orders", words.sessions.shells(2), words.people.count(1)),
  });
  return { calls, ...swipeOver(row, row, way) };
}

/** Moves fingers from a part of a row, which follows them. */
function swipeOver(touched: HTMLElement, row: HTMLElement, way: readonly (readonly Point[])[]) {
  const send = (type: string, touches: readonly Point[]) => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.defineProperty(event, "touches", { value: touches });
    act(() => void touched.dispatchEvent(event));
    return event.defaultPrevented;
  };
  send("touchstart", way[0] ?? []);
  const prevented = way.slice(1).map((touches) => send("touchmove", touches));
  const moved = row.style.getPropertyValue("translate");
  send("touchend", []);
  const menu = screen.queryByRole("menu", { name: words.actions.of("orders") });
  return { prevented, moved, isShown: menu !== null, left: row.style.getPropertyValue("translate") };
}
const at = (clientX: number, clientY = 20): Point => ({ clientX, clientY });

test("a swipe to the side shows what can be done with a row, and does none of it", async () => {
  const { calls, ...result } = await swipe([at(200)], [at(195)], [at(150)], [at(100)]);
  expect(result).toEqual({ prevented: [false, true, true], moved: "-64px", isShown: true, left: "" });
  expect(calls.filter(([name]) => name === "panel.open")).toEqual([]);
});

test("all of a row with several controls follows the finger", async () => {
  const { user } = await renderPanel({ content: { sessions: [panelSession()] } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  const heading = screen.getByRole("heading", { name: "orders" });
  const row = heading.closest("li") ?? expect.unreachable("a session is a row");
  const { moved, isShown } = swipeOver(heading, row, [[at(200)], [at(150)], [at(100)]]);
  expect([moved, isShown]).toEqual(["-64px", true]);
});

test.each<[string, Point[][]]>([
  ["a short way", [[at(200)], [at(170)]]],
  ["a way up, which scrolls", [[at(200, 200)], [at(195, 150)], [at(100, 150)]]],
  [
    "two fingers, which zoom",
    [
      [at(200), at(220)],
      [at(100), at(220)],
    ],
  ],
])("%s shows nothing", async (_what, way) => {
  expect((await swipe(...way)).isShown).toBe(false);
});
