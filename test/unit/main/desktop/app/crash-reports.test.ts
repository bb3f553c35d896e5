import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepCrashReports } from "../../../../../main/desktop/app/crash-reports.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ folder: "" }));
vi.mock("electron", () => ({
  app: {
    setPath(_name: string, folder: string) {
      electron.folder = folder;
    },
  },
  crashReporter: {
    // As Chromium does, which sets no mode.
    start: () => writeFileSync(path.join(electron.folder, "client_id"), "0123"),
  },
}));

let data: string;
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), "patchbay-crashes-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test("reports and the id of this machine in them are for this user only, also where they were not before", () => {
  const [folder, id] = [path.join(data, "crashes"), path.join(data, "crashes", "client_id")];
  const mode = (file: string) => statSync(file).mode & 0o777;
  keepCrashReports(data);
  expect([mode(folder), mode(id), readFileSync(id, "utf8")]).toEqual([0o700, 0o600, "0123"]);
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(id, "4567", { mode: 0o644 });
  keepCrashReports(data);
  expect(mode(id)).toBe(0o600);
});
