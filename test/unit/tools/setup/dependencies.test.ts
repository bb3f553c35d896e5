import { expect, test } from "vitest";
import { dependencyStamp, isInstalled } from "../../../../tools/setup/dependencies.mjs";

const a = { version: "1.0.0", integrity: "sha512-a" };
const lock = {
  packages: { "": {}, "node_modules/a": a, "node_modules/mac-only": { version: "2.0.0", optional: true } },
};

test("the stamp changes with the lock file, Node's ABI, the platform and the processor", () => {
  const stamps = [
    dependencyStamp("{}", "115", "linux", "x64"),
    dependencyStamp("{ }", "115", "linux", "x64"),
    dependencyStamp("{}", "127", "linux", "x64"),
    dependencyStamp("{}", "115", "darwin", "x64"),
    dependencyStamp("{}", "115", "linux", "arm64"),
  ];
  expect(new Set(stamps).size).toBe(stamps.length);
  expect(dependencyStamp("{}", "115", "linux", "x64")).toBe(stamps[0]);
});

test("what npm recorded satisfies the lock file without the packages of other platforms", () => {
  expect(isInstalled(lock, { packages: { "node_modules/a": a } })).toBe(true);
});

test.each([
  ["nothing", {}],
  ["another version", { "node_modules/a": { ...a, version: "1.0.1" } }],
  ["other content", { "node_modules/a": { ...a, integrity: "sha512-b" } }],
  ["a package too many", { "node_modules/a": a, "node_modules/b": a }],
])("%s does not satisfy it", (_name, packages) => {
  expect(isInstalled(lock, { packages })).toBe(false);
});
