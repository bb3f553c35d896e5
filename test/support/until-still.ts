import { expect, vi } from "vitest";

/** Waits until presses of an element count: until it has stood still for long enough. */
export async function untilStill(element: HTMLElement): Promise<HTMLElement> {
  await vi.waitFor(() => expect(element.closest('[aria-disabled="true"]')).toBeNull(), { timeout: 5000 });
  return element;
}
