import { expect, test, vi } from "vitest";
import { autostartEntry } from "../../../../../main/desktop/settings/start-at-login.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
vi.mock("electron", () => ({ app: {} }));

test("the autostart entry quotes what its shell-like grammar would read", () => {
  expect(autostartEntry(["/opt/My $Apps/patchbay", "--hidden"])).toContain(
    'Exec="/opt/My \\\\$Apps/patchbay" "--hidden"\n',
  );
});
