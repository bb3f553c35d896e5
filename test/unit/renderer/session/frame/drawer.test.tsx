// @vitest-environment happy-dom
import { act, fireEvent } from "@testing-library/react";
import { expect, test } from "vitest";
import { toggleDrawer } from "../../../../../renderer/session/actions/toggle-drawer.ts";
import { Drawer, DrawerButton } from "../../../../../renderer/session/frame/drawer.tsx";
import type { DrawerContentProps, DrawerSource } from "../../../../../renderer/session/view/session-host.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

/** The drawer and its button over a content that shows what it was given. */
async function drawer({
  scene = "six",
  waits = 2 as number | undefined | null,
  kept = "",
  isOfSession = false,
  hasReceipt = false,
} = {}) {
  localStorage.clear();
  if (kept !== "") localStorage.setItem("patchbay.drawer", kept);
  Reflect.get(window, "happyDOM").setViewport({ width: 1280, height: 800 });
  const given: DrawerContentProps[] = [];
  const waiting = createStore(waits);
  const source: DrawerSource = {
    ...(isOfSession && { isOfSession }),
    waiting,
    load: async () => (props) => {
      given.push(props);
      return (
        <div>
          {props.tools}
          {hasReceipt && (
            <button type="button" data-item data-question="1" data-waits="false">
              a receipt
            </button>
          )}
          <button type="button" data-item {...(hasReceipt && { "data-question": "2", "data-waits": "true" })}>
            a card
          </button>
        </div>
      );
    },
  };
  // Rendered within it, so that the content that is loaded is rendered too.
  const rendered = await act(async () =>
    renderView(
      <div className="session-middle">
        <DrawerButton />
        <Drawer />
      </div>,
      { scene, host: { drawer: source } },
    ),
  );
  const { page, view } = rendered;
  const aside = () => page.queryByRole("complementary", { name: "Inbox and sessions" });
  const toggle = () => act(async () => toggleDrawer(view));
  return { ...rendered, aside, toggle, given, waiting };
}

test("the button has the number of what waits, and what the open drawer counts", async () => {
  const { page, user, aside, given } = await drawer();
  await act(() => user.click(page.getByRole("button", { name: "Inbox and sessions, 2 wait for you" })));
  await page.findByText("a card");
  act(() => given.at(-1)?.showWaiting(5));
  page.getByRole("button", { name: "Inbox and sessions, 5 wait for you", pressed: true });
  await user.click(page.getByRole("button", { name: "Inbox and sessions, 5 wait for you" }));
  expect(aside()).toBeNull();
});

test("the key leads past a receipt to what waits", async () => {
  const { page, toggle } = await drawer({ hasReceipt: true });
  await toggle();
  await page.findByText("a card");
  page.getByRole("button", { name: /^Inbox and sessions/ }).focus();
  await toggle();
  expect(document.activeElement?.textContent).toBe("a card");
});

test("the key leads to its first item, and from there back; over the tiles it closes, pinned it stays", async () => {
  const { page, user, aside, toggle } = await drawer();
  await toggle();
  // Until there is an item, the drawer itself has the keys.
  expect(document.activeElement).toBe(aside());
  await page.findByText("a card");
  page.getByRole("button", { name: /^Inbox and sessions/ }).focus();
  await toggle();
  expect(document.activeElement?.textContent).toBe("a card");
  await toggle();
  expect(aside()).toBeNull();

  await toggle();
  await user.click(await page.findByRole("button", { name: "Pin beside the tiles" }));
  expect(aside()?.hasAttribute("data-docked")).toBe(false);
  // Shells are resized once it has come.
  fireEvent.animationEnd(aside() ?? document.body);
  expect(aside()?.hasAttribute("data-docked")).toBe(true);
  page.getByText("a card").focus();
  await toggle();
  expect(aside()).not.toBeNull();
});

test("a page opens with a drawer that was pinned, and not with one that was closed then", async () => {
  const pinned = await drawer({ kept: "pinned" });
  await pinned.page.findByText("a card");
  expect(pinned.aside()?.hasAttribute("data-docked")).toBe(true);
  act(() => pinned.given.at(-1)?.close());
  expect(pinned.aside()).toBeNull();
  expect(localStorage.getItem("patchbay.drawer")).toBe("pinned, closed");
  pinned.page.unmount();
  expect((await drawer({ kept: "pinned, closed" })).aside()).toBeNull();
});

test("the chat takes its place, and it the chat's", async () => {
  const { view, aside, toggle } = await drawer();
  await toggle();
  act(() => view.ui.chatOpen.set(true));
  expect(aside()).toBeNull();
  await toggle();
  expect(aside()).not.toBeNull();
  expect(view.ui.chatOpen.get()).toBe(false);
});

test.each([
  ["a reader", { scene: "reader" }],
  ["a key that opens no panel", { waits: null }],
])("%s has neither button nor drawer", async (_, parts) => {
  const { page, aside, toggle } = await drawer(parts);
  await toggle();
  expect(aside()).toBeNull();
  expect(page.queryByRole("button", { name: /^Inbox and sessions/ })).toBeNull();
});

test("a reader has a drawer that shows no more than the session", async () => {
  const { page, aside, toggle } = await drawer({ scene: "reader", isOfSession: true });
  await toggle();
  await page.findByText("a card");
  expect(aside()).not.toBeNull();
  page.getByRole("button", { name: /^Inbox and sessions/, pressed: true });
});
