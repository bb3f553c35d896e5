// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { focusOf } from "../../../../core/state/client-state.ts";
import { LoadingDialog } from "../../../../renderer/session/loading-dialog.tsx";
import { ViewContext } from "../../../../renderer/session/view/view.ts";
import { renderView } from "../../../support/render-view.tsx";

test("a dialog that is being loaded has the keys, gives them back when it is there, and Escape gives it up", () => {
  const { view, page } = renderView(<textarea />);
  const terminal = screen.getByRole("textbox");
  const show = (loading: boolean) =>
    page.rerender(
      <ViewContext value={view}>
        <textarea />
        {loading && <LoadingDialog />}
      </ViewContext>,
    );
  terminal.focus();
  view.ui.searchOpen.set(true);
  show(true);
  const dialog = screen.getByRole<HTMLDialogElement>("dialog");
  expect(dialog.open).toBe(true);
  act(() => void dialog.dispatchEvent(new Event("cancel", { cancelable: true })));
  expect(view.ui.searchOpen.get()).toBe(false);
  terminal.blur();
  show(false);
  expect(document.activeElement).toBe(terminal);
});

test("a tile that the focus has left while a dialog was open does not get the keys back: the focused tile does", () => {
  const { view, page } = renderView(null);
  const focused = focusOf(view.host.snapshot().state);
  const show = (loading: boolean) =>
    page.rerender(
      <ViewContext value={view}>
        <section data-tile="7">
          <textarea />
        </section>
        <div data-tile={focused} data-testid="focused" tabIndex={-1} />
        {loading && <LoadingDialog />}
      </ViewContext>,
    );
  show(false);
  screen.getByRole("textbox").focus();
  show(true);
  screen.getByRole("textbox", { hidden: true }).blur();
  show(false);
  expect(document.activeElement).toBe(screen.getByTestId("focused"));
});
