import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { changelogFile, controlFile, debianVersion } from "../../../tools/package/debian-control.mjs";
import { licensesText } from "../../../tools/package/licenses.mjs";
import { sbom } from "../../../tools/package/sbom.mjs";
import { packageFolder } from "../../../tools/package/shipped.mjs";
import { targetsOn, targetTable } from "../../../tools/package/targets.mjs";
import { checkout } from "../../../tools/setup/checkout.mjs";
import { runtimeLibraries } from "../../../tools/setup/runtime-libraries.mjs";

interface Library {
  readonly libraries: readonly string[];
  readonly packages: readonly string[];
  readonly why: string;
  readonly optional?: true;
}

function built(platform: NodeJS.Platform, has: (program: string) => boolean): string[] {
  return targetsOn(platform, has)
    .filter((target: { built: boolean }) => target.built)
    .map((target: { name: string }) => target.name);
}

test("each system builds its own packages, and is told why not the others", () => {
  expect(built("linux", () => true)).toEqual(["dir", "deb"]);
  expect(built("linux", () => false)).toEqual(["dir"]);
  expect(built("darwin", () => true)).toEqual(["zip", "dmg"]);
  expect(built("win32", () => true)).toEqual(["nsis"]);
  const table = targetTable(targetsOn("linux", () => false)).split("\n");
  expect(table).toContain("  deb       no   needs dpkg-deb");
  expect(table).toContain("  dmg       no   needs macOS's hdiutil");
});

test("a source belongs to the innermost package around it", () => {
  expect(packageFolder("../../node_modules/zod/v4/core.js")).toBe("node_modules/zod");
  expect(packageFolder("../node_modules/@xterm/xterm/lib/xterm.js")).toBe("node_modules/@xterm/xterm");
  expect(packageFolder("node_modules/a/node_modules/@b/c/index.js")).toBe("node_modules/a/node_modules/@b/c");
  expect(packageFolder("../../core/protocol/ids.ts")).toBeUndefined();
});

test("the control file has what Debian asks for, and a version that sorts before its release", () => {
  const control: string = controlFile({ version: "1.0.0-beta.1", architecture: "amd64", kilobytes: 12 });
  const fields = new Map(control.split("\n").map((line) => [line.split(":")[0], line.split(": ")[1]]));
  expect(fields.get("Version")).toBe("1.0.0~beta.1");
  expect(fields.get("Installed-Size")).toBe("12");
  expect(fields.get("Depends")).toContain("libgtk-3-0");
  expect(control.endsWith("\n")).toBe(true);
  expect(debianVersion("1.0.0")).toBe("1.0.0");
  expect(changelogFile({ version: "1.0.0", date: "Sat, 21 Nov 2026 08:00:00 +0000" })).toMatch(
    /^patchbay \(1\.0\.0\) unstable; .*\n\n {2}\* .*\n\n -- .* <.*> {2}Sat, 21 Nov 2026 08:00:00 \+0000\n$/,
  );
});

test("the package depends on every library that the app loads, by any of its names; the documentation lists them", async () => {
  const control: string = controlFile({ version: "1.0.0", architecture: "amd64", kilobytes: 12 });
  const field = (name: string) => control.split("\n").find((line) => line.startsWith(`${name}: `)) ?? "";
  const manual = await readFile(path.join(checkout, "docs/install.md"), "utf8");
  for (const library of runtimeLibraries as readonly Library[]) {
    const said = field(library.optional ? "Recommends" : "Depends");
    for (const name of library.packages) expect(said).toMatch(new RegExp(`[ |]${name.replaceAll("+", "\\+")}( |,|$)`));
    const row = manual.split("\n").find((line) => library.packages.every((name) => line.includes(`\`${name}\``)));
    for (const name of library.libraries) expect(row).toContain(`\`${name}\``);
    expect(row).toContain(library.why);
  }
  expect(field("Depends")).toContain("libnotify4");
  // apt takes the first that it knows, and on newer releases the old name is one of several packages.
  expect(field("Depends")).toContain("libasound2t64 | libasound2");
});

const zod = {
  name: "zod",
  version: "4.0.0",
  license: "MIT",
  folder: `${checkout}/node_modules/zod`,
  how: "bundled",
} as const;
const bare = { ...zod, name: "bare", license: "(MIT OR Apache-2.0)", folder: `${checkout}/node_modules/.none` };

test("licences are told with their texts, and who brings none is named too", () => {
  const text: string = licensesText([bare, zod], { electron: "33.2.1" });
  expect(text).toContain("Electron 33.2.1");
  expect(text).toContain("zod 4.0.0: MIT (bundled)");
  expect(text).toContain("Permission is hereby granted");
  expect(text).toContain("no text of its licence; its package.json says: (MIT OR Apache-2.0)");
});

test("the bill of materials names each part with its licence and the sum that the lock file pinned", () => {
  const versions = { electron: "33.2.1", chromium: "130.0.6723.137", node: "20.18.1" };
  const bill = sbom([bare, zod], { root: checkout, version: "0.1.0", ...versions });
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    metadata: { component: { version: "0.1.0" } },
  });
  const [runtime, browser, node, first, second] = bill.components;
  expect(runtime).toMatchObject({ name: "electron", version: "33.2.1" });
  // By which scanners find their known holes.
  expect(browser).toMatchObject({
    version: "130.0.6723.137",
    cpe: "cpe:2.3:a:google:chrome:130.0.6723.137:*:*:*:*:*:*:*",
  });
  expect(node).toMatchObject({ version: "20.18.1", cpe: "cpe:2.3:a:nodejs:node.js:20.18.1:*:*:*:*:*:*:*" });
  expect(first).toMatchObject({ name: "bare", licenses: [{ expression: "(MIT OR Apache-2.0)" }] });
  expect(second).toMatchObject({
    purl: "pkg:npm/zod@4.0.0",
    licenses: [{ license: { id: "MIT" } }],
    hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  });
});
