import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { shippedVulnerabilities } from "../../tools/package/audit-shipped.mjs";
import { sbomDiff } from "../../tools/package/sbom-diff.mjs";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(resolve(root, file), "utf8");

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Parts of the build tools for other systems, which some registries lack (tools/package/complete-lock.mjs). */
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
    expect(ci).toMatch(/npm run build\n\s+- run: node tools\/package\/audit-shipped\.mjs/);
  });

  test("publishes a release with checksums, provenance and what changed in the bill of materials", () => {
    const release = read(".github/workflows/release.yml");
    expect(release).toMatch(/attest-build-provenance@/);
    expect(release).toMatch(/SHA256SUMS/);
    expect(release).toMatch(/tools\/package\/sbom-diff\.mjs/);
  });

  test("packs the official Electron, and does not pass over a missing signature", () => {
    const release = read(".github/workflows/release.yml");
    expect(release).toMatch(/npm run dist -- --official /);
    for (const system of ["macOS", "Windows"]) {
      expect(release).toMatch(new RegExp(`if: runner\\.os == '${system}' && vars\\.RELEASE_UNSIGNED != 'true'`));
    }
    expect(release).toMatch(/if: vars\.RELEASE_UNSIGNED == 'true'\n\s+run: .*not signed/);
  });

  test("runs actions by their commit, which cannot be moved as a tag can", () => {
    for (const file of readdirSync(resolve(root, ".github/workflows"))) {
      const uses = read(`.github/workflows/${file}`).match(/uses: .*/g) ?? [];
      expect(uses.length).toBeGreaterThan(0);
      expect(uses.filter((line) => !/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    }
  });

  test("updates what is in the app one by one, and only tools together", () => {
    const [, listed = ""] = /tools:[\s\S]*?patterns:\n((?: {10}- .*\n)+)/.exec(read(".github/dependabot.yml")) ?? [];
    const tools = [...listed.matchAll(/- "?([^"\n]+)"?/g)].map(([, name = ""]) => name);
    expect(tools.length).toBeGreaterThan(10);
    const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: object };
    const isTool = (name: string) => tools.includes(name) || (name.startsWith("@types/") && tools.includes("@types/*"));
    expect(tools.filter((name) => !name.endsWith("*") && !Object.hasOwn(devDependencies, name))).toEqual([]);
    const sources = ["core", "main", "client", "cli", "preload", "renderer"].flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(tsx?|css)$/.test(name) && !/vite\.config\.ts$|\/dev\//.test(name))
        .map((name) => read(`${folder}/${name}`)),
    );
    const imported = Object.keys(devDependencies).filter((name) =>
      sources.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`)),
    );
    expect(imported).toEqual(expect.arrayContaining(["electron", "express", "react"]));
    expect(imported.filter(isTool)).toEqual([]);
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

test("the audit is of what is in the app, bundled or not, and of severe vulnerabilities of the packages themselves", () => {
  const advisory = (severity: string) => ({ name: "a", title: "A hole", url: "https://example.test/1", severity });
  const of = (name: string, severity: string, ...nodes: string[]) => ({ name, via: [advisory(severity)], nodes });
  const report = {
    vulnerabilities: {
      express: of("express", "high", "node_modules/express"),
      vitest: of("vitest", "critical", "node_modules/vitest"),
      zod: of("zod", "moderate", "node_modules/zod"),
      inner: of("inner", "critical", "node_modules/vitest/node_modules/inner", "node_modules/ws/node_modules/inner"),
      through: { name: "through", via: ["inner"], nodes: ["node_modules/ws"] },
    },
  };
  const folders = ["express", "zod", "ws", "ws/node_modules/inner"].map((name) => `node_modules/${name}`);
  expect(shippedVulnerabilities(report, folders)).toEqual([
    "express (node_modules/express): high: A hole https://example.test/1",
    "inner (node_modules/ws/node_modules/inner): critical: A hole https://example.test/1",
  ]);
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

test("each night runs what npm test leaves out", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const nightly = read(".github/workflows/nightly.yml");
  const [, list = ""] = /suite: \[(.*)\]/.exec(nightly) ?? [];
  const suites = [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  expect(suites).toEqual(expect.arrayContaining(["test:slow", "test:mutants", "test:stryker"]));
  expect(suites.filter((name) => scripts[name.split(" ")[0] ?? ""] === undefined)).toEqual([]);
  expect(nightly).toMatch(/^ {2}schedule:$/m);
});
