// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { framesFrom, type PlacedTile, useTileMotion } from "../../../../../renderer/session/stage/use-tile-motion.ts";

const left = { left: 3, top: 3, width: 200, height: 100 };
const right = { left: 209, top: 3, width: 100, height: 100 };
const animate = vi.fn();
let isReduced = false;

beforeEach(() => {
  animate.mockClear();
  isReduced = false;
  Element.prototype.animate = animate;
  vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const list = new EventTarget();
    return Object.assign(list, {
      matches: isReduced,
      media: query,
      onchange: null,
      addListener: vi.fn(),
      removeListener: vi.fn(),
    });
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Placed(place: Partial<PlacedTile>) {
  const element = useRef<HTMLDivElement>(null);
  useTileMotion(element, { box: left, shown: true, isStill: false, ...place });
  return <div ref={element} />;
}

test("a tile that moves is drawn from its old place and size to the new one by a transform", () => {
  expect(framesFrom(left, right)).toEqual([
    { transformOrigin: "0 0", transform: "translate(-206px, 0px) scale(2, 1)" },
    { transformOrigin: "0 0", transform: "none" },
  ]);
  const page = render(<Placed isStill />);
  page.rerender(<Placed box={right} />);
  expect(animate.mock.calls).toEqual([[framesFrom(left, right), { duration: 120, easing: "ease-out" }]]);
});

test("a tile that comes fades in; one that stays, was hidden, or follows the pointer does not move", () => {
  const page = render(<Placed />);
  expect(animate.mock.calls[0]?.[0]).toEqual([{ opacity: 0 }, { opacity: 1 }]);
  animate.mockClear();
  page.rerender(<Placed box={{ ...left }} />);
  page.rerender(<Placed box={right} isStill />);
  page.rerender(<Placed box={right} shown={false} />);
  page.rerender(<Placed box={left} />);
  expect(animate).not.toHaveBeenCalled();
});

test("nothing moves with reduced motion", () => {
  isReduced = true;
  const page = render(<Placed />);
  page.rerender(<Placed box={right} />);
  expect(animate).not.toHaveBeenCalled();
});
