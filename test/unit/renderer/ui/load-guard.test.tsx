// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { lazy, Suspense } from "react";
import { expect, test, vi } from "vitest";
import { LoadGuard } from "../../../../renderer/ui/load-guard.tsx";

test("a part whose code does not come is replaced, and the rest of the page stays", async () => {
  // React reports what a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Part = lazy(() => Promise.reject(new TypeError("Failed to fetch")));
  const onFailure = vi.fn();
  render(
    <>
      <p>the rest</p>
      <LoadGuard fallback={<p>not loaded</p>} onFailure={onFailure}>
        <Suspense fallback={<p>loading</p>}>
          <Part />
        </Suspense>
      </LoadGuard>
    </>,
  );
  await screen.findByText("not loaded");
  expect([screen.getByText("the rest").isConnected, onFailure.mock.calls.length]).toEqual([true, 1]);
  expect(screen.queryByText("loading")).toBeNull();
});
