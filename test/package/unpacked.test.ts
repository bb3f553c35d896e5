import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { expect, test } from "vitest";
import { asarFiles } from "../../tools/package/asar-files.mjs";
import { packedSizes } from "../../tools/package/sizes.mjs";
import { given } from "./given.ts";

const app = given("PATCHBAY_UNPACKED");
/** `import … from "package"`, `import "package"` and `import("package")`. */
const IMPORT =
  /^(import|export) (?!type )(?:[^;"']*? from )?["']([^."'][^"']*)["']|\bimport\(["']([^."'][^"']*)["']\)/gm;
/** Their licences are in files of their own. */
const RUNTIME = ["electron", "chromium", "node"];
const packed: readonly { path: string; unpacked: boolean }[] = asarFiles(path.join(app, "resources", "app.asar"));

test("the runtime cannot be bent into another program", async () => {
  const wire = await getCurrentFuseWire(path.join(app, "patchbay"));
  // As they stand in the program: the characters 1 and 0.
  const on = "1".charCodeAt(0);
  const off = "0".charCodeAt(0);
  expect(wire).toMatchObject({
    [FuseV1Options.RunAsNode]: off,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: off,
    [FuseV1Options.EnableNodeCliInspectArguments]: off,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: on,
    [FuseV1Options.OnlyLoadAppFromAsar]: on,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: off,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: off,
  });
});

test("as Node, or with Node's options, it is still Patchbay", async () => {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "--require=/nowhere.js" };
  const { stdout } = await promisify(execFile)(path.join(app, "bin", "patchbay"), ["--version"], { env });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test("only what is needed is in it, and the app itself is small", () => {
  const files = packed.map((file) => file.path);
  const tops = new Set(
    files.map((file) =>
      file
        .split("/")
        .slice(0, file.startsWith("dist/") ? 2 : 1)
        .join("/"),
    ),
  );
  expect([...tops].sort()).toEqual([
    "dist/cli",
    "dist/docs",
    "dist/main",
    "dist/preload",
    "dist/renderer",
    "dist/shell-host",
    "node_modules",
    "package.json",
    "resources",
  ]);
  expect(files.filter((file) => /\.(map|ts|md)$|-musl\//.test(file))).toEqual(
    files.filter((file) => /LICENSE[^/]*\.md$/.test(file)),
  );
  expect(packedSizes(app).ours).toBeLessThan(25e6);
});

test("it can update itself where the user names a feed: where a download goes is said, and a feed is not", async () => {
  const update = await readFile(path.join(app, "resources", "app-update.yml"), "utf8");
  expect(update).toMatch(/^updaterCacheDirName: patchbay-updater$/m);
  expect(update).toMatch(/^url: https:\/\/[a-z]+\.invalid\/$/m);
});

test("native code lies outside the archive, for this system alone", () => {
  const native = packed.filter(({ path: file }) => file.endsWith(".node"));
  expect(native.length).toBe(3);
  expect(native.every(({ unpacked, path: file }) => unpacked && file.includes(`linux-${process.arch}`))).toBe(true);
});

test("only packages with native code, and what loads it, are packed whole", () => {
  const whole = new Set(
    packed.flatMap(({ path: file }) => file.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []),
  );
  expect([...whole].sort()).toEqual([
    `@libsql/linux-${process.arch}-gnu`,
    "@lydell/node-pty",
    `@lydell/node-pty-linux-${process.arch}`,
    "@napi-rs/keyring",
    `@napi-rs/keyring-linux-${process.arch}-gnu`,
    "@neon-rs/load",
    "detect-libc",
    "libsql",
  ]);
});

test("the licences and the bill of materials name everything that is in it", async () => {
  const licenses = await readFile(path.join(app, "resources", "licenses.txt"), "utf8");
  const bill = JSON.parse(await readFile(path.join(app, "resources", "sbom.cdx.json"), "utf8")) as {
    components: { name: string; version: string; licenses: { license?: { id: string } }[] }[];
  };
  const names = new Set(bill.components.map(({ name }) => name));
  const imported = await importedPackages();
  expect(imported).toEqual(expect.arrayContaining(["express", "httpxy", "react", "libsql"]));
  expect(imported.filter((name) => !names.has(name))).toEqual([]);
  for (const name of [...RUNTIME, "swagger-ui-dist", "@fontsource-variable/inter"]) expect(names).toContain(name);
  const unnamed = bill.components.filter(
    ({ name, version }) => !RUNTIME.includes(name) && !licenses.includes(`${name} ${version}: `),
  );
  expect(unnamed).toEqual([]);
  expect(bill.components.filter((one) => one.licenses.some(({ license }) => license?.id === "UNKNOWN"))).toEqual([]);
  expect((await stat(path.join(app, "LICENSES.chromium.html"))).size).toBeGreaterThan(1e6);
});

/** Every package that the sources of the app name in an import, but for those of types alone. */
async function importedPackages(): Promise<string[]> {
  const found = new Set<string>();
  for (const room of ["core", "main", "cli", "preload", "renderer"]) {
    const folder = path.join(import.meta.dirname, "../..", room);
    const files = (await readdir(folder, { recursive: true })).filter(
      (file) => /\.tsx?$/.test(file) && !file.endsWith("vite.config.ts"),
    );
    for (const file of files) {
      const text = await readFile(path.join(folder, file), "utf8");
      for (const [, , from, loaded] of text.matchAll(IMPORT)) {
        const name = (from ?? loaded)?.match(/^(?:@[^/]+\/)?[^/]+/)?.[0];
        if (name !== undefined && !name.startsWith("node:")) found.add(name);
      }
    }
  }
  return [...found];
}
