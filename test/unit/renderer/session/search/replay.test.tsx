// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { TimeMark } from "../../../../../core/protocol/history-ops.ts";
import { search } from "../../../../../renderer/search/words.ts";
import { Replay } from "../../../../../renderer/session/search/replay.tsx";
import { renderView } from "../../../../support/render-view.tsx";

const words = search.place.replay;
const START = Date.UTC(2026, 0, 1, 12);

/** A replay of a hundred characters, one a quarter of a second, that begins at the fortieth. */
function openReplay(times = Array.from({ length: 100 }, (_, index): TimeMark => [index, START + index * 250])) {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const text = { before: "b".repeat(40), after: "a".repeat(60) };
  const recorded = { cols: 80, ...text, from: 0, to: 100, times, sizes: [] };
  renderView(
    <Replay recorded={recorded} isVisible>
      {(shown) => (
        <>
          <input aria-label="a field" />
          <output>{shown ?? "place"}</output>
        </>
      )}
    </Replay>,
  );
  const slider = () => screen.getByRole<HTMLInputElement>("slider", { name: words.position });
  return {
    slider,
    shown: () => screen.getByRole("status").textContent,
    press: (key: string, target: Element = slider()) => fireEvent.keyDown(target, { key }),
    pass: (ms: number) => act(() => void vi.advanceTimersByTime(ms)),
  };
}

test("a replay waits at the place until it is started, prints on from there at its speed, and ends", () => {
  const { slider, shown, pass } = openReplay();
  pass(5000);
  expect(shown()).toBe("place");
  expect(slider().valueAsNumber).toBe(10_000);
  fireEvent.click(screen.getByRole("button", { name: words.play }));
  pass(1000);
  expect(Math.abs(Number(shown()) - 44)).toBeLessThanOrEqual(1);
  fireEvent.click(screen.getByRole("button", { name: words.times(4) }));
  pass(1000);
  expect(Math.abs(Number(shown()) - 60)).toBeLessThanOrEqual(2);
  fireEvent.click(screen.getByRole("button", { name: words.pause }));
  const paused = shown();
  pass(1000);
  expect(shown()).toBe(paused);
  fireEvent.click(screen.getByRole("button", { name: words.play }));
  pass(10_000);
  expect(shown()).toBe("100");
  // At the end it begins anew.
  fireEvent.click(screen.getByRole("button", { name: words.play }));
  expect(shown()).toBe("1");
});

test("Space starts and stops a replay, arrows go five seconds, also from the terminal, and the slider says the time", () => {
  const { slider, shown, press, pass } = openReplay();
  press("ArrowRight");
  expect(shown()).toBe("61");
  press("ArrowLeft", screen.getByRole("status"));
  expect(shown()).toBe("41");
  // There the terminal scrolls by them.
  press("ArrowUp", screen.getByRole("status"));
  expect(shown()).toBe("41");
  press("PageUp");
  expect(shown()).toBe("50");
  const format = new Intl.DateTimeFormat("en", { timeStyle: "medium" });
  expect(slider().getAttribute("aria-valuetext")).toBe(format.format(START + 49 * 250));
  press(" ");
  pass(1000);
  expect(Math.abs(Number(shown()) - 54)).toBeLessThanOrEqual(1);
  // A field in it has its keys.
  press(" ", screen.getByRole("textbox"));
  expect(screen.getByRole("button", { name: words.pause })).toBeDefined();
  press(" ");
  expect(screen.getByRole("button", { name: words.play })).toBeDefined();
});

test("what has no times, or only one, is shown without a timeline", () => {
  const { shown } = openReplay([[0, START]]);
  expect(shown()).toBe("place");
  expect(screen.queryByRole("slider")).toBeNull();
});
