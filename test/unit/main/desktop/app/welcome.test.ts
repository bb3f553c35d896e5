import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { MessageBoxOptions } from "electron";
import { afterEach, beforeEach, expect, test } from "vitest";
import { welcomeOnce } from "../../../../../main/desktop/app/welcome.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), "patchbay-welcome-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

async function greeted(answer: { response: number; checkboxChecked: boolean }, problem?: string) {
  const asked: MessageBoxOptions[] = [];
  let starts = 0;
  await welcomeOnce({
    data,
    trayProblem: async () => problem,
    platform: "linux",
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
    startAtLogin: () => {
      starts += 1;
    },
  });
  return { asked, starts };
}

test("greets once, and says where the icon is and how the command line logs in", async () => {
  const first = await greeted({ response: 0, checkboxChecked: false });
  expect(first.starts).toBe(0);
  expect(first.asked[0]?.detail).toContain("icon is in the tray");
  expect(first.asked[0]?.detail).toContain("patchbay login");
  expect(await greeted({ response: 0, checkboxChecked: true })).toEqual({ asked: [], starts: 0 });
});

test("starts at login when that was ticked, but not when the box was only closed", async () => {
  expect(await greeted({ response: 1, checkboxChecked: true })).toMatchObject({ starts: 0 });
  rmSync(path.join(data, "welcomed"));
  expect(await greeted({ response: 0, checkboxChecked: true })).toMatchObject({ starts: 1 });
});

test("where no icon can be seen, it says so", async () => {
  const { asked } = await greeted({ response: 0, checkboxChecked: false }, "There is no tray: nobody shows it.");
  expect(asked[0]?.detail).toContain("There is no tray: nobody shows it. Start Patchbay again");
  expect(asked[0]?.detail).not.toContain("icon is in");
});
