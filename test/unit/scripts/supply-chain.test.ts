import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { sbomDiff } from "../../../scripts/sbom-diff.mjs";

const root = resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(resolve(root, file), "utf8");

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Parts of the build tools for other systems, which some registries lack (scripts/complete-lock.mjs). */
const OTHER_PLATFORMS = /(^|\/)node_modules\/@(biomejs\/cli|rolldown\/binding)-[a-z0-9-]+$/;

const locked = Object.entries((JSON.parse(read("package-lock.json")) as { packages: object }).packages).filter(
  ([place]) => place !== "",
) as [string, LockedPackage][];

describe("dependencies", () => {
  test("are pinned by SHA-512, except the build tools' optional parts for other systems", () => {
    expect(locked.length).toBeGreaterThan(300);
    const loose = locked.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
    const wrong = loose.filter(
      ([place, { optional, dev, integrity }]) =>
        integrity !== undefined || optional !== true || dev !== true || !OTHER_PLATFORMS.test(place),
    );
    expect(wrong.map(([place]) => place)).toEqual([]);
  });

  test("come from the registry that the user has set, never from Git, a file or an address", () => {
    expect(locked.filter(([, { resolved, link }]) => resolved !== undefined || link === true)).toEqual([]);
  });

  test("run no script while they are installed, and neither does Patchbay", () => {
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
    const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
    const lifecycle = /^(pre|post)?(install|prepare|publish|pack)$|^(pre|post)/;
    expect(Object.keys(scripts).filter((name) => lifecycle.test(name))).toEqual([]);
  });
});

describe("public CI", () => {
  test("checks the registry's signatures and known vulnerabilities", () => {
    const ci = read(".github/workflows/ci.yml");
    expect(ci).toMatch(/npm audit signatures/);
    expect(ci).toMatch(/npm audit --audit-level=high/);
  });

  test("publishes a release with checksums, provenance and what changed in the bill of materials", () => {
    const release = read(".github/workflows/release.yml");
    expect(release).toMatch(/attest-build-provenance@/);
    expect(release).toMatch(/SHA256SUMS/);
    expect(release).toMatch(/scripts\/sbom-diff\.mjs/);
  });

  test("Electron and npm packages are updated every week", () => {
    expect(read(".github/dependabot.yml")).toMatch(
      /package-ecosystem: npm\n\s+directory: \/\n\s+schedule: \{ interval: weekly \}/,
    );
  });

  test("has no right that a job does not need", () => {
    for (const file of readdirSync(resolve(root, ".github/workflows"))) {
      const text = read(`.github/workflows/${file}`);
      expect([file, /^permissions:\n {2}contents: read$/m.test(text)]).toEqual([file, true]);
      expect([file, /pull_request_target|write-all/.test(text)]).toEqual([file, false]);
    }
  });
});

test("each rule of Electron's checklist names a test that exists", () => {
  const rows = read("docs/electron-security.md")
    .split("\n")
    .filter((line) => /^\| \d+\. /.test(line));
  expect(rows.length).toBe(20);
  for (const row of rows) {
    const [, file = "", title = ""] = /`(test\/[^`]+\.ts)`: `([^`]+)` \|$/.exec(row) ?? [];
    expect([row, file !== "" && read(file).includes(`"${title}"`)]).toEqual([row, true]);
  }
});

test("two bills of materials differ in what was added, removed, or has another version or license", () => {
  const mit = [{ license: { id: "MIT" } }];
  const of = (...components: { name: string; version: string; licenses?: object[] }[]) => ({ components });
  const before = of({ name: "a", version: "1", licenses: mit }, { name: "b", version: "1", licenses: mit });
  expect(sbomDiff(before, before)).toBe("The bill of materials has not changed.");
  expect(
    sbomDiff(
      before,
      of(
        { name: "a", version: "2", licenses: mit },
        { name: "c", version: "1", licenses: [{ expression: "MIT OR BSD" }] },
      ),
    ),
  ).toBe(
    [
      "| Component | Before | Now |",
      "|---|---|---|",
      "| a | 1 (MIT) | 2 (MIT) |",
      "| b | 1 (MIT) | none |",
      "| c | none | 1 (MIT OR BSD) |",
    ].join("\n"),
  );
});
