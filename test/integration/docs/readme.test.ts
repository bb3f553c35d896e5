import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { RemoteClient } from "../../../client/remote-client.ts";
import { Client } from "../../../core/client/client.ts";
import { oldCurl, whereIs } from "../../support/old-curl.ts";
import { exampleScript, expectPromised } from "../../support/readme-examples.ts";
import { dial } from "../../support/scripted-client.ts";
import { type ServeLab, startServeLab } from "../../support/start-serve.ts";

const run = promisify(execFile);

/** A relay with a client, the checkout's programs and a curl of 2018 that writes its arguments down. */
async function startReader(lab: ServeLab) {
  const relay = await lab.serve(["--client"]);
  const folder = join(lab.data, "..");
  cpSync(resolve(import.meta.dirname, "../../../bin"), join(folder, "bin"), { recursive: true });
  const tools = join(folder, "tools");
  mkdirSync(tools);
  const log = join(folder, "curl-arguments");
  oldCurl(tools, { minor: 58, real: whereIs("curl"), log });
  const env = { PATH: `${tools}:${process.env.PATH}`, HOME: folder, PATCHBAY_DATA: lab.data };
  const owner = new RemoteClient({ url: relay.url, token: await lab.makeKey(), session: relay.session });
  // The ids of a session that is in use are others than those of a new one.
  await owner.call("createShell");
  return { relay, folder, log, env, owner };
}

test("the README's examples run one after the other, and print what the page promises", async () => {
  await using lab = await startServeLab();
  const { relay, folder, log, env } = await startReader(lab);
  const { stdout } = await run("/bin/sh", ["-e", "-c", exampleScript(relay)], { cwd: folder, env });
  expect(readFileSync(log, "utf8")).toContain("-H\n@-\n");
  expect(readFileSync(log, "utf8")).not.toMatch(/pb[a-z]?_[A-Za-z0-9_-]{16,}/);
  expectPromised(stdout);
}, 60_000);

test("they run with a browser open beside the desktop client", { tags: "slow", timeout: 90_000 }, async () => {
  await using lab = await startServeLab();
  const { relay, folder, env } = await startReader(lab);
  const shown: string[] = [];
  const browser = new Client({
    kind: "browser",
    device: "test",
    toast: () => "toast",
    notify(notification) {
      shown.push(notification.title);
      return "native";
    },
    viewport: () => ({ cols: 160, rows: 48 }),
  });
  await browser.connect(await dial({ relay, session: relay.session, key: await lab.makeKey() }));
  const { stdout } = await run("/bin/sh", ["-e", "-c", exampleScript(relay)], { cwd: folder, env });
  expectPromised(stdout);
  expect(shown).toEqual(["Build finished"]);
  browser.disconnect("the test is over");
});

test("they run inside a Patchbay shell, without the first line", { tags: "slow", timeout: 90_000 }, async () => {
  await using lab = await startServeLab();
  const { relay, folder, owner } = await startReader(lab);
  const [first = "", ...others] = exampleScript(relay).split("\n");
  expect(first).toMatch(/^export .*SERVICE_TOKEN=/);
  const script = join(folder, "examples.sh");
  writeFileSync(script, others.join("\n"));
  const { key } = await owner.call("createShell", { cwd: folder });
  const { exitCode, output = "" } = await owner.call("runCommand", {
    ...(key === undefined ? {} : { tile: key }),
    command: "sh -e examples.sh",
    wait: true,
  });
  expect(exitCode, output).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours, and a terminal's line ends
  expectPromised(output.replace(/\u001b\[[0-9;]*m|\r/g, ""));
});
