import { expect, test } from "vitest";
import type { Toast } from "../../../../renderer/session/view/session-host.ts";
import { createNotifier, type Notice } from "../../../../renderer/web/notifier.ts";

function browser(permission: "default" | "denied" | "granted", { throws = false } = {}) {
  const shown: Notice[] = [];
  const toasts: Toast[] = [];
  let now = permission;
  const notify = createNotifier(
    {
      permission: () => now,
      async ask() {
        now = "granted";
      },
      show(notice) {
        if (throws) throw new TypeError("Illegal constructor");
        shown.push(notice);
      },
    },
    (toast) => {
      toasts.push(toast);
      return "toast";
    },
  );
  return { notify, shown, toasts };
}

const notice = { title: "Build", body: "done" };

test("with permission, a notification is shown", () => {
  const { notify, shown, toasts } = browser("granted");
  expect(notify(notice)).toBe("native");
  expect([shown, toasts]).toEqual([[notice], []]);
});

test("the first toast offers notifications once, and taking the offer makes the next one a notification", async () => {
  const { notify, shown, toasts } = browser("default");
  notify(notice);
  notify({ title: "Second" });
  expect(toasts.map(({ message, action }) => [message, action?.label])).toEqual([
    ["Build: done", "Allow notifications"],
    ["Second", undefined],
  ]);
  toasts[0]?.action?.run();
  notify({ title: "Third" });
  expect(shown).toEqual([{ title: "Third" }]);
});

test("without permission or support, a toast is shown", () => {
  const denied = browser("denied");
  expect(denied.notify(notice)).toBe("toast");
  expect(denied.toasts).toEqual([{ kind: "info", message: "Build: done" }]);
  const android = browser("granted", { throws: true });
  expect(android.notify(notice)).toBe("toast");
  expect(android.toasts).toEqual([{ kind: "info", message: "Build: done" }]);
});
