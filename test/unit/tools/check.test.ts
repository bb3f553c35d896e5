import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { check, checks, runCheck } from "../../../tools/check.mjs";
import { until } from "../../support/until.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const modules = path.resolve(import.meta.dirname, "../../../node_modules");

test("an error of types is reported at each check, also one by a change elsewhere", async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "folder"));
  const write = (name: string, text: string) => writeFileSync(path.join(root, "folder", name), text);
  write("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }));
  write("user.ts", 'import { size } from "./size";\nexport const twice: number = size * 2;\n');
  const errors = async () => {
    const [{ name, script, args }] = checks(root);
    expect(name).toBe("types of folder");
    const run = promisify(execFile)(process.execPath, [path.join(modules, script), ...args], { cwd: root });
    return run.then(
      () => "none",
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  write("size.ts", "export const size = 1;\n");
  expect(await errors()).toBe("none");
  write("size.ts", "export const size = {};\n");
  for (const _round of ["first", "second"]) expect(await errors()).toContain("user.ts");
  write("size.ts", "export const size = 2;\n");
  expect(await errors()).toBe("none");
});

test("the longest checks are begun first, and the rest in the order of their names", () => {
  const root = temporaryFolder();
  for (const name of ["cli", "main", "renderer", "test", "tools"]) {
    mkdirSync(path.join(root, name));
    writeFileSync(path.join(root, name, "tsconfig.json"), "{}");
    writeFileSync(path.join(root, name, "one.ts"), "");
  }
  const types = ["test", "renderer", "main", "cli", "tools"].map((name) => `types of ${name}`);
  expect(checks(root).map(({ name }: { name: string }) => name)).toEqual([...types, "format and lint"]);
});

test("two checks run at a time; their outputs are whole, and in one order, whichever ends first", async () => {
  const planned = ["a", "b", "c"].map((name) => ({ name, script: "", args: [], colours: "" }));
  const ends = new Map<string, (code: number) => void>();
  const told: string[] = [];
  const failed = check(
    { log: (line: string) => told.push(line), signal: new AbortController().signal },
    {
      planned,
      atOnce: 2,
      print: (text: string) => told.push(text),
      runOne: ({ name }: { name: string }) =>
        new Promise((resolve) => ends.set(name, (code) => resolve({ code, output: `output of ${name}` }))),
    },
  );
  expect([...ends.keys()]).toEqual(["a", "b"]);
  ends.get("b")?.(1);
  await until("the third", () => ends.has("c"));
  expect(told).toEqual([]);
  ends.get("c")?.(0);
  ends.get("a")?.(0);
  expect(await failed).toEqual(["b"]);
  expect(told).toEqual(["a", "b", "c"].flatMap((name) => [`check: ${name}`, `output of ${name}`]));
});

test("what a check prints is kept, with its exit code", async () => {
  const { signal } = new AbortController();
  const tsc = { name: "types", script: "typescript/bin/tsc", colours: "--pretty" };
  expect(await runCheck({ ...tsc, args: ["--version"] }, signal)).toMatchObject({
    code: 0,
    output: expect.stringContaining("Version"),
  });
  expect(await runCheck({ ...tsc, args: ["-p", "no-such-folder"] }, signal)).toMatchObject({
    code: 1,
    output: expect.stringContaining("no-such-folder"),
  });
});
