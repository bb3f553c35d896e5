import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

interface Rule {
  /** Sources that the rule is for; the first rule that fits a file counts. */
  readonly files: RegExp;
  /** Our own files that they may import, besides those of their own folder. */
  readonly may?: RegExp;
  /** Our own files of which they may import types only. */
  readonly mayTypes?: RegExp;
  /** Packages that they may import. */
  readonly packages: RegExp;
}

const NODE = "node:";
const SPECS = "core/commands/(specs|command)\\.ts";
const SERVER =
  /^(node:|express$|ws$|zod$|libsql$|chokidar$|@lydell\/node-pty$|@xterm\/|@pydantic\/genai-prices|@peculiar\/asn1-(schema|x509)$|systeminformation$|prom-client$|httpxy$)/;

/** The dependency table of docs/architecture.md. Composition roots (`main/*.ts`, `main/local/`) are free. */
const rules: readonly Rule[] = [
  { files: /^core\/undo\.ts$/, packages: /^$/ },
  { files: /^core\/protocol\//, packages: /^zod$/ },
  { files: /^core\/layout\//, may: /^core\/(protocol)\//, packages: /^zod$/ },
  { files: /^core\/state\//, may: /^core\/(protocol|layout)\//, packages: /^zod$/ },
  { files: /^core\/commands\//, may: /^core\/(protocol|layout|state)\//, packages: /^zod$/ },
  { files: /^core\/client\//, may: /^core\/(protocol|layout|state|commands)\/|^core\/undo\.ts/, packages: /^zod$/ },
  { files: /^main\/system\//, may: /^core\/(protocol\/|undo\.ts)/, packages: /^(node:|zod$|libsql$)/ },
  {
    files: /^main\/(relay|agents)\//,
    may: new RegExp(`^core/(protocol/|undo\\.ts)|^main/system/|^${SPECS}`),
    packages: SERVER,
  },
  { files: /^main\/shells\//, may: new RegExp(`^core/(protocol/|undo\\.ts)|^${SPECS}`), packages: SERVER },
  {
    files: /^main\/tunnels\//,
    may: /^core\/protocol\/|^main\/agents\/process(es|-source)\.ts/,
    mayTypes: /^main\/relay\/ports\.ts/,
    packages: SERVER,
  },
  {
    files: /^main\/shell-host-process\//,
    may: /^core\/protocol\/|^main\/(shells|system)\//,
    packages: /^(node:|zod$)/,
  },
  {
    files: /^main\/desktop\//,
    may: /^core\/|^preload\/(?!preload\.ts)|^main\/relay\/relay\.ts|^main\/system\//,
    packages: /^(node:|electron$|zod$|@napi-rs\/keyring)/,
  },
  { files: /^main\/(local\/)?[^/]+\.ts$/, may: /./, packages: /./ },
  { files: /^preload\/preload\.ts$/, may: /^preload\/channel-names\.ts/, mayTypes: /^core\//, packages: /^electron$/ },
  { files: /^preload\//, may: /^core\/protocol\//, mayTypes: /^core\//, packages: /^zod$/ },
  { files: /^renderer\/[^/]+\.ts$/, packages: new RegExp(`^(${NODE}|vite$|@vitejs/)`) },
  {
    files: /^renderer\//,
    may: /^core\/|^renderer\//,
    mayTypes: /^preload\/(?!preload\.ts)/,
    // Any library of the web; nothing of Node or Electron.
    packages: /^(?!node:|electron($|\/)|(fs|path|os|child_process|crypto|http|net)($|\/)|ws$|express$|libsql$)/,
  },
  {
    files: /^cli\//,
    may: new RegExp(`^core/protocol/|^main/system/|^${SPECS}|^package\\.json`),
    packages: /^(node:|commander$|string-width$|zod$|@napi-rs\/keyring|env-paths$)/,
  },
];

interface Import {
  readonly from: string;
  /** Path below the root, or the name of a package. */
  readonly to: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
}

const files = ["core", "main", "preload", "renderer", "cli"].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${top}/${name.replaceAll("\\", "/")}`),
);
const imports = files.flatMap(importsOf);

test("there is something to check, and every source has a rule", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(imports.length).toBeGreaterThan(600);
  expect(files.filter((file) => ruleOf(file) === undefined)).toEqual([]);
  expect(imports.filter(({ own, to }) => own && !existsSync(join(root, to)))).toEqual([]);
});

describe("each folder imports only what its rule allows", () => {
  test.each(rules)("$files", (rule) => {
    const wrong = imports.filter((one) => ruleOf(one.from) === rule && !allowed(rule, one));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });
});

test("only two files touch Electron's raw messages", () => {
  const raw = files.filter((file) => /\bipc(Main|Renderer)\b/.test(withoutComments(file)));
  expect(raw.sort()).toEqual(["main/desktop/ipc.ts", "preload/preload.ts"]);
});

test("only the desktop's room, the app's root and the preload script import electron", () => {
  const users = imports.filter(({ to }) => to === "electron").map(({ from }) => from);
  const outside = users.filter(
    (file) => !/^(main\/desktop\/|main\/(main|program)\.ts$|preload\/preload\.ts$)/.test(file),
  );
  expect(outside).toEqual([]);
});

test("no file of core reaches itself through its imports, of types neither", () => {
  const inside = imports.filter(({ from, to }) => from.startsWith("core/") && to.startsWith("core/"));
  expect(inside.length).toBeGreaterThan(300);
  expect(cyclesIn(inside)).toEqual([]);
});

function ruleOf(file: string): Rule | undefined {
  return rules.find(({ files: fit }) => fit.test(file));
}

function allowed({ may, mayTypes, packages }: Rule, { from, to, own, typeOnly }: Import): boolean {
  if (!own) return packages.test(to);
  if (may?.test(to) || (typeOnly && mayTypes?.test(to))) return true;
  return folderOf(from) === folderOf(to);
}

/** The room that a file is in: `core/protocol`, `main/relay`, `preload`, … */
function folderOf(file: string): string {
  const [top = "", next = ""] = file.split("/");
  return top === "core" || top === "main" || top === "renderer" ? `${top}/${next}` : top;
}

function importsOf(file: string): Import[] {
  const source = withoutComments(file);
  const statements = source.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^;"'`]*?\sfrom\s+)?"([^"]+)"/gm);
  const dynamic = source.matchAll(/\bimport\(\s*(?:\/\*.*?\*\/\s*)?"([^"]+)"\s*\)/g);
  return [
    ...[...statements].map(([, type, to = ""]) => found(file, to, type !== undefined)),
    ...[...dynamic].map(([, to = ""]) => found(file, to, false)),
  ];
}

function found(from: string, to: string, typeOnly: boolean): Import {
  if (!to.startsWith(".")) return { from, to, own: false, typeOnly };
  return { from, to: relative(root, resolve(root, dirname(from), to)).replaceAll("\\", "/"), own: true, typeOnly };
}

function withoutComments(file: string): string {
  return readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Every chain of imports that leads back to where it began, once. */
function cyclesIn(edges: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      return;
    }
    state.set(file, "open");
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of next.keys()) visit(file, []);
  return cycles;
}
