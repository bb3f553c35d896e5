// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { lazy, Suspense } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { LoadGuard, lazyPart } from "../../../../renderer/ui/load-guard.tsx";

test("a part whose code does not come is replaced, and the rest of the page stays", async () => {
  // React reports what a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Part = lazy(() => Promise.reject(new TypeError("Failed to fetch")));
  const onFailure = vi.fn();
  onTestFinished(cleanup);
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

test("a part whose code did not come is loaded again when it is shown anew, and not before", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn(async () => () => <p>the part</p>);
  load.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const Part = lazyPart(load, (loaded) => loaded);
  const guarded = (attempt: number) => (
    <LoadGuard fallback={<p>not loaded</p>} attempt={attempt}>
      <Suspense fallback={<p>loading</p>}>
        <Part />
      </Suspense>
    </LoadGuard>
  );
  onTestFinished(cleanup);
  const page = render(guarded(1));
  await screen.findByText("not loaded");
  page.rerender(guarded(1));
  expect([screen.getByText("not loaded").isConnected, load.mock.calls.length]).toEqual([true, 1]);
  page.rerender(guarded(2));
  await screen.findByText("the part");
  page.rerender(guarded(3));
  expect([screen.getByText("the part").isConnected, load.mock.calls.length]).toEqual([true, 2]);
});
