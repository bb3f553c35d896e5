// @vitest-environment happy-dom
import { act, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { useStillOrder } from "../../../../renderer/tray/use-still-order.ts";
import { SETTLED_AFTER_MS } from "../../../../renderer/ui/stands-still.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function Rows({ wanted }: { readonly wanted: readonly string[] }) {
  const { order, list } = useStillOrder<HTMLUListElement>(wanted);
  return (
    <ul {...list}>
      {order.map((id) => (
        <li key={id}>
          <button type="button">{id}</button>
        </li>
      ))}
    </ul>
  );
}

function listOf(...wanted: readonly string[]) {
  const page = render(<Rows wanted={wanted} />);
  onTestFinished(() => page.unmount());
  const element = page.getByRole("list");
  return {
    element,
    button: (id: string) => page.getByRole("button", { name: id }),
    want: (...next: readonly string[]) => page.rerender(<Rows wanted={next} />),
    order: () => element.textContent,
  };
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const settle = () => pass(SETTLED_AFTER_MS + 200);

test("rows take their order at once when they appear, and a new one after 0.7 s", async () => {
  const { order, want } = listOf("b", "a");
  expect(order()).toBe("ba");
  want("a", "b");
  expect(order()).toBe("ba");
  await pass(SETTLED_AFTER_MS - 200);
  expect(order()).toBe("ba");
  await pass(400);
  expect(order()).toBe("ab");
});

test("rows do not move under the pointer, nor for 0.7 s after it has left", async () => {
  const { element, order, want } = listOf("a", "b");
  fireEvent.pointerEnter(element);
  want("b", "a");
  await settle();
  expect(order()).toBe("ab");
  fireEvent.pointerLeave(element);
  await pass(SETTLED_AFTER_MS - 200);
  expect(order()).toBe("ab");
  await pass(400);
  expect(order()).toBe("ba");
});

test("rows do not move while one of them has the focus; one that is removed holds the others no longer", async () => {
  const { button, order, want } = listOf("a", "b", "c");
  act(() => button("a").focus());
  want("c", "b", "a");
  await settle();
  expect(order()).toBe("abc");
  expect(document.activeElement).toBe(button("a"));
  want("c", "b");
  expect(order()).toBe("bc");
  await settle();
  expect(order()).toBe("cb");
});

test("a pointer that was over a panel as it was hidden holds no rows later", async () => {
  const { element, order, want } = listOf("a", "b");
  fireEvent.pointerEnter(element);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  hidden.mockRestore();
  want("b", "a");
  await settle();
  expect(order()).toBe("ba");
});

test("a new row is last until the others may move, and a row that is gone leaves at once", async () => {
  const { element, order, want } = listOf("a", "b");
  fireEvent.pointerEnter(element);
  want("new", "b");
  expect(order()).toBe("bnew");
  fireEvent.pointerLeave(element);
  await settle();
  expect(order()).toBe("newb");
});
