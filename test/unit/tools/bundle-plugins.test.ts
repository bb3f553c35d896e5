import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asciiOutput, targetOfLibsql, unusedParts } from "../../../tools/bundle-plugins.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("a bundle is ASCII and does what its source does", async () => {
  const source = `
    const größe = "€ 😀 \\u2026";
    const parts = { "…": /^[…-😀]$/u.test("😀"), template: \`«\${größe}»\`, tab: "\\t" };
    // A comment – with a dash.
    console.log(JSON.stringify([größe, parts, /[äö]/.test("ö"), "😀".length]));
  `;
  const file = await bundle(source);
  expect(readFileSync(file, "utf8")).toMatch(/^[\0-\x7f]*$/);
  expect(JSON.parse(run(file))).toEqual(["€ 😀 …", { "…": true, template: "«€ 😀 …»", tab: "\t" }, true, 2]);
});

test("a raw text that is not ASCII is refused, because an escape would change it", async () => {
  await expect(bundle("console.log(String.raw`…`);")).rejects.toThrow("raw text that is not ASCII");
});

test("libsql is loaded without a diagnostic report of the process", async () => {
  symlinkSync(resolve(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  const file = await bundle(`
    import Database from "libsql";
    console.log(JSON.stringify(new Database(":memory:").prepare("SELECT 2 + 3 AS sum").get()));
  `);
  const refused = join(folder, "no-report.cjs");
  writeFileSync(refused, 'process.report.getReport = () => { throw new Error("a report was made"); };');
  expect(JSON.parse(run(file, ["--require", refused]))).toMatchObject({ sum: 5 });
});

test("of libraries that load all of themselves, what is used is bundled alone", async () => {
  symlinkSync(resolve(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  const file = await bundle(
    `
    import { networkConnections, processes } from "systeminformation";
    import iconv from "iconv-lite";
    console.log(JSON.stringify([
      Array.isArray((await processes()).list),
      Array.isArray(await networkConnections()),
      ["utf-8", "utf-16", "iso-8859-1", "gbk"].map((charset) => iconv.encodingExists(charset)),
    ]));
  `,
    "esm",
  );
  expect(JSON.parse(run(file))).toEqual([true, true, [true, true, true, false]]);
  expect(statSync(file).size).toBeLessThan(350_000);
});

/** Bundles a program as the build does. Returns its file. */
async function bundle(source: string, format: "cjs" | "esm" = "cjs"): Promise<string> {
  const { rolldown } = await import("rolldown");
  const input = join(folder, "source.mjs");
  writeFileSync(input, source);
  const made = await rolldown({
    input,
    platform: "node",
    plugins: [asciiOutput, targetOfLibsql, unusedParts],
    external: [/^@libsql\//],
    logLevel: "silent",
  });
  const file = join(folder, format === "cjs" ? "bundle.cjs" : "bundle.mjs");
  try {
    await made.write({ file, format });
  } finally {
    await made.close();
  }
  return file;
}

function run(file: string, options: readonly string[] = []): string {
  return execFileSync(process.execPath, [...options, file], { encoding: "utf8" });
}
