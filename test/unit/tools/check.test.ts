import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { checks } from "../../../tools/check.mjs";
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
