import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { Shell } from "../../../../core/protocol/records.ts";
import { startTestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

interface Made {
  readonly key: number;
  readonly shellId: number;
  readonly cwd?: string;
  readonly notice?: string;
}

test("a split from a shell whose folder was deleted starts in the nearest one, and says so", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const above = path.join(realpathSync(relay.folder), "work");
  const gone = path.join(above, "branch", "deep");
  mkdirSync(gone, { recursive: true });
  const shell = await relay.command<Made>("createShell", { cwd: gone });
  expect(await relay.command<Made>("splitShell", { tile: shell.key })).toEqual({ key: 2, shellId: 2 });
  rmSync(path.join(above, "branch"), { recursive: true });
  const made = await relay.command<Made>("splitShell", { tile: shell.key });
  expect(made).toEqual({
    key: 3,
    shellId: 3,
    cwd: above,
    notice: `The folder ${gone} is gone: the shell starts in ${above}.`,
  });
  const { output } = await relay.command<{ output: string }>("runCommand", {
    command: "pwd -P",
    tile: made.key,
    wait: true,
  });
  expect(output.trim()).toBe(above);
  rmSync(above, { recursive: true });
  const explicit = await relay.post({ method: "splitShell", params: { tile: shell.key, cwd: gone } });
  expect([explicit.status, explicit.text]).toEqual([
    400,
    `The folder ${gone} does not exist; give the full path of one that does.\n`,
  ]);
});

test("what is no folder to start in is refused with the reason, and nothing is left behind", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  const file = path.join(relay.folder, "file");
  writeFileSync(file, "");
  const refused = async (cwd: string) => (await relay.post({ method: "createShell", params: { cwd } })).text.trim();
  expect(await refused(file)).toBe(`${file} is not a folder: give the full path of one.`);
  expect(await refused(".")).toMatch(/^The folder \. is relative/);
  expect(await relay.command("getShells")).toEqual([]);
  await relay.command("createShell", { cwd: "~", tile: false });
  await until("the shell at home", async () => {
    const [shell] = await relay.command<Shell[]>("getShells");
    return shell?.cwd.replace(/\/$/, "") === homedir();
  });
});
