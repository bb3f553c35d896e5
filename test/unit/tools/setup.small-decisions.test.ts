import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { chromiumExecutable } from "../../../tools/setup/chromium.mjs";
import { fingerprint } from "../../../tools/setup/fingerprint.mjs";
import { nodeVersionProblem, OLDEST_NODE } from "../../../tools/setup/node-version.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

test.each(["18.20.0", "20.18.3", "19.9.9"])("Node %s is too old, and the sentence names what would do", (version) => {
  expect(nodeVersionProblem(version)).toContain(OLDEST_NODE);
});

test.each(["20.19.0", "20.20.2", "22.0.0", "100.0.0"])("Node %s will do", (version) => {
  expect(nodeVersionProblem(version)).toBeUndefined();
});

test("the oldest Node is the one that package.json promises", () => {
  expect(JSON.parse(readFileSync("package.json", "utf8")).engines.node).toBe(`>=${OLDEST_NODE}`);
});

test("a build is due when an input is changed, renamed, added or removed, and not otherwise", () => {
  const root = temporaryFolder();
  const write = (name: string, content: string) => writeFileSync(path.join(root, name), content);
  const now = () => fingerprint(root, ["core", "package.json", "absent"]);
  mkdirSync(path.join(root, "core"));
  write("core/a.ts", "1");
  write("outside.ts", "1");
  const seen = [now()];
  write("outside.ts", "2");
  expect(now()).toBe(seen[0]);
  write("core/a.ts", "2");
  seen.push(now());
  write("core/b.ts", "");
  seen.push(now());
  write("package.json", "{}");
  seen.push(now());
  rmSync(path.join(root, "core/a.ts"));
  seen.push(now());
  expect(new Set(seen).size).toBe(seen.length);
});

test("the browser is the one that is named, or the first that is installed", () => {
  const only = (file: string) => (there: string) => there === file;
  expect(chromiumExecutable({ PATCHBAY_CHROMIUM: "/x", PATH: "/usr/bin" }, "linux", only("/x"))).toBe("/x");
  expect(chromiumExecutable({ PATH: "/a:/b" }, "linux", only("/b/google-chrome"))).toBe("/b/google-chrome");
  expect(chromiumExecutable({ PATH: "/a" }, "linux", () => false)).toBeUndefined();
});

test("both commands are one program: `patchbay` only finds `service` and runs it under its own name", () => {
  const [patchbay, service] = ["bin/patchbay", "bin/service"].map((file) => readFileSync(file, "utf8"));
  expect(patchbay?.trimEnd().split("\n").at(-1)).toMatch(/^\. ".*\/service"$/);
  expect(patchbay?.split("\n").length).toBeLessThan((service?.split("\n").length ?? 0) / 5);
});
