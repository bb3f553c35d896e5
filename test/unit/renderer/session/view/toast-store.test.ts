import { expect, test } from "vitest";
import { ToastStore } from "../../../../../renderer/session/view/toast-store.ts";

const shown = (store: ToastStore) => store.shown.get().map(({ kind, message, times }) => `${kind} ${message} ${times}`);

test("counts identical messages", () => {
  const store = new ToastStore();
  store.show("info", "a");
  store.show("error", "a");
  store.show("info", "a");
  expect(shown(store)).toEqual(["error a 1", "info a 2"]);
});

test("messages with actions are never merged", () => {
  const store = new ToastStore();
  const action = { label: "Copy", run: () => undefined };
  store.show("info", "a", [action]);
  store.show("info", "a", [action]);
  expect(shown(store)).toEqual(["info a 1", "info a 1"]);
});

test("beyond five the oldest is removed, but errors stay", () => {
  const store = new ToastStore();
  store.show("error", "bad");
  for (const message of ["1", "2", "3", "4", "5"]) store.show("info", message);
  expect(shown(store)).toEqual(["error bad 1", "info 2 1", "info 3 1", "info 4 1", "info 5 1"]);
});

test("a dismissed toast is removed", () => {
  const store = new ToastStore();
  store.dismiss(store.show("success", "done"));
  expect(shown(store)).toEqual([]);
});

test("a newer message about the same matter replaces the older, and the end of the matter removes it", () => {
  const store = new ToastStore();
  const action = () => ({ label: "Copy", run: () => undefined });
  store.show("info", "first", [action()], "clipboard of 1");
  store.show("info", "other", [action()], "clipboard of 2");
  store.show("info", "second", [action()], "clipboard of 1");
  expect(shown(store)).toEqual(["info other 1", "info second 1"]);
  store.dismissAbout("clipboard of 2");
  expect(shown(store)).toEqual(["info second 1"]);
});

test("a message about the same matter with the very same action is renewed in its place", () => {
  const store = new ToastStore();
  const action = { label: "Cancel", run: () => undefined };
  const id = store.show("info", "10%", [action], "upload");
  store.show("info", "other");
  expect(store.show("info", "20%", [action], "upload")).toBe(id);
  expect(shown(store)).toEqual(["info 20% 1", "info other 1"]);
  expect(store.show("info", "30%", [{ ...action }], "upload")).not.toBe(id);
});
