// @vitest-environment happy-dom
import { fireEvent, render } from "@testing-library/react";
import { act } from "react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SETTLED_AFTER_MS, useStandsStill } from "../../../../renderer/ui/stands-still.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function Question({ answer, isWatched = true }: { readonly answer: () => void; readonly isWatched?: boolean }) {
  return (
    <div {...useStandsStill<HTMLDivElement>(isWatched)}>
      <button type="button" onClick={answer}>
        Yes
      </button>
    </div>
  );
}

interface Place {
  top: number;
  covered: boolean;
}

/** A question of one button, whose place and cover the test decides. */
function ask() {
  const presses: string[] = [];
  const place: Place = { top: 100, covered: false };
  const question = (isWatched: boolean) => <Question answer={() => presses.push("yes")} isWatched={isWatched} />;
  const { container, rerender } = render(question(true));
  const [box] = container.children;
  const button = container.querySelector("button") ?? expect.unreachable("it has a button");
  vi.spyOn(box ?? button, "getBoundingClientRect").mockImplementation(() => new DOMRect(0, place.top, 200, 30));
  const [cover, pointed] = [document.body, button];
  document.elementFromPoint = () => (place.covered ? cover : pointed);
  return {
    button,
    place,
    presses,
    press: () => fireEvent.click(button, { detail: 1 }),
    /** Returns whether a press may move the focus there. */
    pressDown: () => fireEvent.mouseDown(button, { detail: 1 }),
    pressByKey: () => fireEvent.click(button),
    isDisabled: () => box?.getAttribute("aria-disabled") === "true",
    watch: (isWatched: boolean) => rerender(question(isWatched)),
    wait: (ms: number) => act(() => vi.advanceTimersByTime(ms)),
  };
}

test("a press counts once the buttons have stood still, and is held back before", () => {
  const { presses, press, wait, isDisabled } = ask();
  press();
  expect([presses, isDisabled()]).toEqual([[], true]);
  wait(SETTLED_AFTER_MS + 200);
  expect(isDisabled()).toBe(false);
  press();
  expect(presses).toEqual(["yes"]);
});

test("a press that is held back moves no focus: what is typed next is meant for something else", () => {
  const { presses, press, pressDown, wait } = ask();
  expect(pressDown()).toBe(false);
  wait(SETTLED_AFTER_MS - 200);
  // The press began too early.
  press();
  expect([presses, pressDown()]).toEqual([[], false]);
  wait(SETTLED_AFTER_MS + 200);
  expect(pressDown()).toBe(true);
});

test("a press by key counts at once: the user has moved the focus there", () => {
  const { presses, pressByKey } = ask();
  pressByKey();
  expect(presses).toEqual(["yes"]);
});

test("who goes on pressing there does not press it", () => {
  const { presses, press, wait } = ask();
  for (let pressed = 0; pressed < 20; pressed++) {
    wait(SETTLED_AFTER_MS / 2);
    press();
  }
  expect(presses).toEqual([]);
});

test.each<[string, Partial<Place>, Partial<Place>]>([
  ["moved", { top: 140 }, { top: 180 }],
  ["covered and uncovered", { covered: true }, { covered: false }],
])("what is %s has to stand still again, also where nothing has looked meanwhile", (_, first, then) => {
  const { place, presses, press, wait } = ask();
  wait(5 * SETTLED_AFTER_MS);
  Object.assign(place, first);
  press();
  expect(presses).toEqual([]);
  Object.assign(place, then);
  wait(SETTLED_AFTER_MS - 200);
  press();
  expect(presses).toEqual([]);
  wait(SETTLED_AFTER_MS + 200);
  press();
  expect(presses).toEqual(["yes"]);
});

test("what was covered for a moment has to stand still again, also where nobody has pressed there", () => {
  const { place, presses, press, wait } = ask();
  wait(5 * SETTLED_AFTER_MS);
  place.covered = true;
  wait(200);
  place.covered = false;
  press();
  expect(presses).toEqual([]);
});

test("what is covered all the time does not stand still", () => {
  const { place, presses, press, wait } = ask();
  place.covered = true;
  wait(5 * SETTLED_AFTER_MS);
  press();
  expect(presses).toEqual([]);
});

test("in a window that scrolls, the page's own box may be out of sight", () => {
  // The overflow of the page is the window's, as on a lying phone.
  vi.spyOn(document.body, "getBoundingClientRect").mockImplementation(() => new DOMRect(0, -456, 844, 390));
  document.body.style.overflow = "auto";
  onTestFinished(() => document.body.removeAttribute("style"));
  const { presses, press, wait, button } = ask();
  const isOn = (y: number) => y >= 100 && y <= 130;
  document.elementFromPoint = (_x, y) => (isOn(y) ? button : document.body);
  for (let box = button.parentElement; box !== null && box !== document.body; box = box.parentElement) {
    // This document has no usual styles.
    box.style.overflow = "visible";
  }
  wait(SETTLED_AFTER_MS + 200);
  press();
  expect(presses).toEqual(["yes"]);
});

test("what is shown again has to stand still again, also where it stood before", () => {
  const { presses, press, watch, wait } = ask();
  wait(5 * SETTLED_AFTER_MS);
  watch(false);
  wait(5 * SETTLED_AFTER_MS);
  watch(true);
  press();
  expect(presses).toEqual([]);
  wait(SETTLED_AFTER_MS + 200);
  press();
  expect(presses).toEqual(["yes"]);
});
