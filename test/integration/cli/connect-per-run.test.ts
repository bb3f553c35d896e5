import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RemoteClient } from "../../../client/remote-client.ts";
import { agentLaunchers } from "../../../main/system/agent-launchers.ts";
import { startServeLab } from "../../support/start-serve.ts";

test("claude gets the hooks in shells opened after the permission, and none in any shell after its end", async () => {
  await using lab = await startServeLab();
  mkdirSync(join(lab.data, "..", "bin"));
  for (const name of ["service", "patchbay"]) copyFileSync(`bin/${name}`, join(lab.data, "..", "bin", name));
  const relay = await lab.serve(["--client"]);
  const owner = new RemoteClient({ url: relay.url, token: await lab.makeKey(), session: relay.session });
  const programs = join(lab.data, "..", "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "claude"), '#!/bin/sh\nprintf "<%s>" "$@"\n', { mode: 0o755 });
  const open = async () => (await owner.call("createShell")).key;
  const run = async (tile: number | undefined, command: string) => {
    const line = `PATH="$PATH:${programs}" && ${command}`;
    const { output } = await owner.call("runCommand", { tile, command: line, wait: true, timeout: 30 });
    return output;
  };

  const before = await open();
  expect(await run(before, "claude -c")).toContain("<-c>");
  expect(await run(before, "patchbay agents connect claude --per-run --yes")).toContain("Connected.");
  expect(await run(before, "claude -c")).not.toContain("--settings");

  const after = await open();
  const { folder, claudeSettings } = agentLaunchers(lab.data);
  expect(await run(after, "command -v claude")).toContain(join(folder, "claude"));
  expect(await run(after, "claude -c 'two words'")).toContain(`<--settings><${claudeSettings}><-c><two words>`);

  expect(await run(after, "patchbay agents disconnect claude --per-run")).toContain("Disconnected Claude Code");
  expect(existsSync(claudeSettings)).toBe(false);
  expect(await run(after, "claude -c")).toContain("<-c>");
  expect(await run(after, "claude -c")).not.toContain("--settings");
});
