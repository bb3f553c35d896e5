import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { oldCurl, whereIs } from "../../support/old-curl.ts";
import { startServeLab } from "../../support/start-serve.ts";

const root = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** Returns the block under "Examples" exactly as it is printed. */
function examples(): string {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const [, block] = /## Examples[\s\S]*?```sh\n([\s\S]*?)```/.exec(text) ?? [];
  if (block === undefined) throw new Error("README.md has no examples");
  return block;
}

test("the README's examples run one after the other, and print what the page promises", async () => {
  await using lab = await startServeLab();
  const relay = await lab.serve(["--client"]);
  const folder = join(lab.data, "..");
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  const tools = join(folder, "tools");
  mkdirSync(tools);
  const log = join(folder, "curl-arguments");
  oldCurl(tools, { minor: 58, real: whereIs("curl"), log });
  // The page cannot know the address and the session of a reader.
  const script = examples().replaceAll("http://127.0.0.1:7717", relay.url).replaceAll("SESSION/", `${relay.session}/`);
  const env = { PATH: `${tools}:${process.env.PATH}`, HOME: folder, PATCHBAY_DATA: lab.data };
  const { stdout } = await run("/bin/sh", ["-e", "-c", script], { cwd: folder, env });
  expect(readFileSync(log, "utf8")).toContain("-H\n@-\n");
  expect(readFileSync(log, "utf8")).not.toMatch(/pb[a-z]?_[A-Za-z0-9_-]{16,}/);
  expect(stdout).toMatch(/^hello-42$/m);
  expect(stdout).toMatch(/browser.*example\.org/);
  expect(stdout).toMatch(/"shown": ?false|shown +false/);
  expect(stdout).toMatch(/\{"result":\[\{"key":/);
  expect(stdout).toMatch(/\{"result":\{"key":\d+,"shellId":\d+/);
}, 60_000);
