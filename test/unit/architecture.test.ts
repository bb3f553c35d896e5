import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

const NODE = "node:";
const SPECS = "core/(commands/(specs|command|asked)|(operations|procedures)/[a-z-]+)\\.ts";
/** How the relay executes what needs no screen. */
const SCREENLESS = "core/(commands/(context|index)|state/(client-state|client-store|ports))\\.ts";
const SERVER =
  /^(node:|express$|ws$|zod$|libsql$|chokidar$|@lydell\/node-pty$|@xterm\/|@pydantic\/genai-prices|@peculiar\/asn1-(schema|x509)$|systeminformation$|prom-client$|httpxy$|@modelcontextprotocol\/sdk\/|@nats-io\/|@opentelemetry\/)/;

/**
 * Every room, lowest first: a file imports only from its own room and from those above it in this list, of types neither.
 * A name that ends with a slash stands for the folders below it too.
 */
const levels = [
  "core",
  "core/protocol",
  "core/layout",
  "core/state",
  "core/commands/",
  "core/operations",
  "core/procedures",
  "core/client",
  "main/system/dbus",
  "main/system/processes",
  "main/system",
  "main/system/listeners",
  "client",
  "client/published",
  "main/agents/adapters",
  "main/agents",
  "main/agents/hooks",
  "main/agents/protocols",
  "main/shells/marks",
  "main/shells/integration",
  "main/shells",
  "main/shells/history",
  "main/shells/history-index",
  "main/shells/host",
  "main/relay/metrics",
  "main/relay/telemetry",
  "main/relay/tls",
  "main/relay/net",
  "main/relay/store",
  "main/relay/access",
  "main/relay/access/permits",
  "main/relay/audit",
  "main/relay/plugins",
  "main/relay/questions",
  "main/relay/sends",
  "main/relay/tunnels",
  "main/relay/session",
  "main/relay/budgets",
  "main/relay/webhooks",
  "main/relay/calls",
  "main/relay/operations",
  "main/relay/http",
  "main/relay/mcp",
  "main/relay/docs",
  "main/relay",
  "main/relay/fleet",
  "preload",
  "main/desktop",
  "main/desktop/ipc",
  "main/desktop/settings",
  "main/desktop/sessions",
  "main/desktop/notifications",
  "main/desktop/tray",
  "main/desktop/windows",
  "main/desktop/panel",
  "main/desktop/app",
  "cli/parse",
  "cli/render",
  "cli/connect",
  "cli/machines",
  "cli/acp",
  "cli/doctor",
  "cli/help",
  "cli/commands",
  "cli/completion",
  "cli",
  "main/entry/logging",
  "main/entry/options",
  "main/entry",
  "renderer/ui",
  "renderer/search",
  "renderer/session/words",
  "renderer/session/keys",
  "renderer/session/terminal",
  "renderer/settings",
  "renderer/session/view",
  "renderer/session/actions",
  "renderer/session/tiles",
  "renderer/session/toasts",
  "renderer/session/chat",
  "renderer/session/shells",
  "renderer/session/palette",
  "renderer/session/search",
  "renderer/session/overview",
  "renderer/session/settings",
  "renderer/session/menu",
  "renderer/session/stage",
  "renderer/session/frame",
  "renderer/session/welcome",
  "renderer/session/restore",
  "renderer/session",
  "renderer/session/dev",
  "renderer/tray/words",
  "renderer/tray",
  "renderer/tray/settings",
  "renderer/tray/costs",
  "renderer/tray/now",
  "renderer/tray/activity",
  "renderer/tray/app",
  "renderer/tray/start",
  "renderer/window",
  "renderer/web",
  "renderer/toast",
  "renderer/login",
  "renderer",
] as const;

interface Rule {
  /** Sources that the rule is for; the first rule that fits a file counts. */
  readonly files: RegExp;
  /** Our own files that they may import, besides those that the same rule is for. */
  readonly may: RegExp;
  /** Our own files of which they may import types only. */
  readonly mayTypes?: RegExp;
  /** Packages that they may import. */
  readonly packages: RegExp;
}

const NOTHING = /^$/;

/** The dependency table of docs/architecture.md: what the order of the rooms alone would allow, and is not allowed. */
const rules: readonly Rule[] = [
  { files: /^core\//, may: NOTHING, packages: /^(zod|leven|re2js)$/ },
  {
    files: /^main\/system\//,
    may: /^core\/(protocol\/|undo\.ts)/,
    packages: /^(node:|zod$|libsql$|systeminformation$|env-paths$|@napi-rs\/keyring$)/,
  },
  {
    files: /^client\//,
    may: new RegExp(`^core/(protocol/|client/socket-link\\.ts)|^main/system/|^${SPECS}`),
    packages: /^(node:|eventsource-parser$|zod$|env-paths$|ws$)/,
  },
  {
    files: /^main\/(relay|agents)\//,
    may: new RegExp(`^core/(protocol/|undo\\.ts)|^main/system/|^${SPECS}|^${SCREENLESS}`),
    packages: SERVER,
  },
  {
    files: /^main\/shells\//,
    may: new RegExp(`^core/(protocol/|undo\\.ts)|^main/system/|^${SPECS}`),
    packages: SERVER,
  },
  {
    files: /^main\/desktop\//,
    may: /^core\/|^client\/|^preload\/(?!preload\.ts)|^main\/relay\/relay\.ts|^main\/system\//,
    packages: /^(node:|electron$|zod$)/,
  },
  {
    files: /^main\/entry\//,
    may: /^(core|main|client|cli|preload)\/|^package\.json$/,
    packages: /^(node:|electron$|electron-updater$|zod$|pino|env-paths$|uqr$|ws$)/,
  },
  {
    files: /^preload\/preload\.ts$/,
    may: /^preload\/channel-names\.ts/,
    mayTypes: /^core\/|^preload\/channels\.ts$/,
    packages: /^electron$/,
  },
  { files: /^preload\//, may: /^core\/protocol\//, mayTypes: /^core\//, packages: /^zod$/ },
  { files: /^renderer\/[^/]+\.ts$/, may: NOTHING, packages: new RegExp(`^(${NODE}|vite$|@vitejs/)`) },
  {
    files: /^renderer\//,
    may: /^core\//,
    mayTypes: /^preload\/(?!preload\.ts)/,
    // Any library of the web; nothing of Node or Electron.
    packages: /^(?!node:|electron($|\/)|(fs|path|os|child_process|crypto|http|net)($|\/)|ws$|express$|libsql$)/,
  },
  {
    files: /^cli\//,
    may: new RegExp(`^core/protocol/|^client/|^main/system/|^${SPECS}|^package\\.json`),
    packages: /^(node:|@agentclientprotocol\/sdk$|commander$|jsonc-parser$|string-width$|zod$|env-paths$)/,
  },
];

interface Import {
  readonly from: string;
  /** Path below the root, or the name of a package. */
  readonly to: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
}

const files = ["core", "main", "client", "preload", "renderer", "cli"].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${top}/${name.replaceAll("\\", "/")}`),
);
const imports = files.flatMap(importsOf);

test("every source has a room and a rule, and every room and rule a source", () => {
  expect(files.filter((file) => levelOf(file) === -1 || ruleOf(file) === undefined)).toEqual([]);
  expect(levels.filter((_, level) => !files.some((file) => levelOf(file) === level))).toEqual([]);
  expect(rules.filter((rule) => !files.some((file) => ruleOf(file) === rule))).toEqual([]);
  expect(imports.length).toBeGreaterThan(2 * files.length);
  expect(imports.filter(({ own, to }) => own && !existsSync(join(root, to)))).toEqual([]);
});

test("imports lead down, from room to room", () => {
  const up = imports.filter(({ own, from, to }) => own && levelOf(to) > levelOf(from));
  expect(up.map(arrow)).toEqual([]);
});

test("no file reaches itself through its imports, of types neither", () => {
  expect(cyclesIn(imports.filter(({ own }) => own))).toEqual([]);
});

describe("each folder imports only what its rule allows", () => {
  test.each(rules)("$files", (rule) => {
    const wrong = imports.filter((one) => ruleOf(one.from) === rule && !allowed(rule, one));
    expect(wrong.map(arrow)).toEqual([]);
  });
});

describe("the checks see what is wrong", () => {
  const edge = (from: string, to: string, own = true): Import => ({ from, to, own, typeOnly: false });

  test("a cycle, also over several files", () => {
    expect(cyclesIn([edge("a", "b"), edge("b", "c"), edge("c", "a")])).toEqual(["a -> b -> c -> a"]);
  });

  test.each(rules)("$files: a file of another area, and a package that nothing needs", (rule) => {
    const from = files.find((file) => ruleOf(file) === rule) ?? "";
    expect(allowed(rule, edge(from, "nowhere/at-all.ts"))).toBe(false);
    expect(allowed(rule, edge(from, rule.files.test("renderer/ui/mark.tsx") ? "node:fs" : "left-pad", false))).toBe(
      false,
    );
  });
});

test("the relay's SQL is in its store", () => {
  const sql = /\.(prepare|pragma)\(|\b(SELECT .* FROM|INSERT (OR \w+ )?INTO|DELETE FROM|UPDATE \w+ SET) /;
  const users = files.filter((file) => file.startsWith("main/relay/") && sql.test(withoutComments(file)));
  expect(users.filter((file) => dirname(file) !== "main/relay/store")).toEqual([]);
  expect(users.length).toBeGreaterThan(10);
});

test("only two files touch Electron's raw messages", () => {
  const raw = files.filter((file) => /\bipc(Main|Renderer)\b/.test(withoutComments(file)));
  expect(raw.sort()).toEqual(["main/desktop/ipc/ipc.ts", "preload/preload.ts"]);
});

test("only the desktop's rooms, the app's entry point and the preload script import electron", () => {
  const users = imports.filter(({ to }) => to === "electron").map(({ from }) => from);
  const outside = users.filter(
    (file) => !/^(main\/desktop\/|main\/entry\/(desktop|program)\.ts$|preload\/preload\.ts$)/.test(file),
  );
  expect(outside).toEqual([]);
});

test("`patchbay serve` reaches no file of the desktop", () => {
  const reached = new Set(["main/entry/headless.ts"]);
  for (const file of reached) {
    for (const { from, to, own, typeOnly } of imports) if (from === file && own && !typeOnly) reached.add(to);
  }
  expect([...reached].filter((file) => file.startsWith("main/desktop/"))).toEqual([]);
  expect(reached.size).toBeGreaterThan(100);
});

function ruleOf(file: string): Rule | undefined {
  return rules.find(({ files: fit }) => fit.test(file));
}

function allowed(rule: Rule, { from, to, own, typeOnly }: Import): boolean {
  if (!own) return rule.packages.test(to);
  if (rule.may.test(to) || (typeOnly && rule.mayTypes?.test(to))) return true;
  return ruleOf(to) === rule && topOf(from) === topOf(to);
}

/** `core`, `main/relay`, `renderer`, …: what one rule may be for several of. */
function topOf(file: string): string {
  const [top = "", next = ""] = file.split("/");
  return top === "main" ? `${top}/${next}` : top;
}

function levelOf(file: string): number {
  const folder = dirname(file);
  const isIn = (room: string) => (room.endsWith("/") ? `${folder}/`.startsWith(room) : folder === room);
  return levels.findIndex(isIn);
}

function arrow({ from, to }: Import): string {
  return `${from} -> ${to}`;
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
