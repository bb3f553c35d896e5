import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkContext } from "../../../cli/doctor/check-context.ts";
import { checkDataFolder } from "../../../cli/doctor/check-data-folder.ts";
import { checkRelay } from "../../../cli/doctor/check-relay.ts";
import { checkShellHost } from "../../../cli/doctor/check-shell-host.ts";
import { HostFile } from "../../../main/shells/host/host-file.ts";
import { startServeLab } from "../../support/start-serve.ts";

test("doctor tells what is well, what is worth knowing and what must be done", async () => {
  await using lab = await startServeLab();
  const look = () => checkContext({ data: lab.data, env: {} });
  expect(await checkDataFolder(look())).toMatchObject({
    state: "note",
    found: expect.stringContaining("does not exist yet"),
  });

  const relay = await lab.serve(["--client"]);
  expect(await checkRelay(look())).toMatchObject({ state: "ok", found: expect.stringContaining(relay.url) });
  expect(await checkDataFolder(look())).toMatchObject({ state: "ok" });
  expect(await checkShellHost(look())).toMatchObject({
    state: "ok",
    found: expect.stringContaining("No shell host runs"),
  });

  const key = await lab.makeKey();
  await fetch(`${relay.url}/v1/sessions/${relay.session}/remote/command`, {
    method: "POST",
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
    body: JSON.stringify({ method: "createShell", params: {} }),
  });
  expect(await checkShellHost(look())).toMatchObject({
    state: "ok",
    found: expect.stringMatching(/^The shell host \(process \d+\) answers\.$/),
  });

  const { pid } = HostFile.parse(JSON.parse(readFileSync(join(lab.data, "shell-host.json"), "utf8")));
  process.kill(pid, "SIGSTOP");
  expect(await checkShellHost(look())).toMatchObject({
    state: "problem",
    found: `The shell host (process ${pid}) does not answer.`,
    advice: expect.stringContaining(`kill -CONT ${pid}`),
  });
  process.kill(pid, "SIGCONT");
  // To be asked costs the relay nothing: it is still the one that the host serves.
  expect(await checkShellHost(look())).toMatchObject({ state: "ok" });
  expect(relay.said()).not.toContain("gone");

  chmodSync(lab.data, 0o755);
  const open = await checkDataFolder(look());
  expect(open).toMatchObject({ state: "problem", advice: expect.stringContaining(`chmod 700 '${lab.data}'`) });
  chmodSync(lab.data, 0o700);

  await relay.kill();
  const dead = await checkRelay(look());
  expect(dead.found).toContain("ended without notice");
});
