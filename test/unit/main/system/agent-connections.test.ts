import { expect, test } from "vitest";
import { isConnected } from "../../../../main/system/agent-connections.ts";

test("an agent is connected by its home folder, or by the project that it works in", () => {
  const byHome = { homes: ["/home/ann/.codex"], folders: [] };
  expect(isConnected(byHome, { home: "/home/ann/.codex/", cwd: "/tmp" })).toBe(true);
  expect(isConnected(byHome, { home: "/home/ann/.codex-work", cwd: "/tmp" })).toBe(false);
  const byFolder = { homes: [], folders: ["/work/app"] };
  const at = (cwd: string) => isConnected(byFolder, { home: "/home/ann/.codex", cwd });
  expect(["/work/app", "/work/app/src", "/work/app/..data", "/work/app2", "/work", "/"].map(at)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
