import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { allAdapters, ownAdapters } from "../../../../../main/agents/adapters/all.ts";
import { Manifest, manifestAdapter, matchesOf } from "../../../../../main/agents/adapters/manifest.ts";
import { loadManifests, parseManifest } from "../../../../../main/agents/adapters/manifests.ts";
import type { ProcessInfo } from "../../../../../main/system/processes/process-source.ts";

const reserved = ownAdapters().map(({ kind }) => kind);

function started(words: readonly string[], { exe = "/usr/bin/node", comm = "node" } = {}): ProcessInfo {
  const process = {
    comm,
    argv: () => words,
    exe: () => exe,
    exeSize: () => 50_000_000,
    cwd: () => "/work",
    tty: "pts/1",
  };
  return process as unknown as ProcessInfo;
}

test("every manifest beside the adapters is built in", () => {
  const folder = join(import.meta.dirname, "../../../../../main/agents/adapters");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  expect(loadManifests(undefined, reserved).map(({ kind }) => `${kind}.json`)).toEqual(files.toSorted());
});

describe("a manifest", () => {
  const manifest = Manifest.parse({
    kind: "robot",
    programs: ["robot"],
    paths: ["@acme/robot"],
    notWith: ["serve"],
    interrupt: "Ctrl-C",
    title: { working: "^\\* ", waiting: "^\\? " },
    screen: { working: "(?i)thinking", waiting: "Proceed\\? \\[y/n\\]" },
  });
  const adapter = manifestAdapter(manifest);

  test("recognizes its program by name and by path, and not its servers", () => {
    const script = "/usr/lib/node_modules/@acme/robot/cli.js";
    expect(adapter.recognise(started(["node", script]))).toBe("certain");
    expect(adapter.recognise(started(["node", script, "serve"]))).toBeUndefined();
    expect(adapter.recognise(started(["robot", "-p"], { exe: "/opt/robot", comm: "robot" }))).toBe("certain");
    expect(adapter.recognise(started(["robot", "serve"], { exe: "/opt/robot", comm: "robot" }))).toBeUndefined();
    // A program that sets its title, as pi does.
    expect(adapter.recognise(started(["robot"], { comm: "robot" }))).toBe("certain");
    expect(adapter.recognise(started(["node", "/work/other.js"]))).toBeUndefined();
    // A pattern is of folders, not of parts of names.
    expect(adapter.recognise(started(["node", "/lib/@acme/robots/cli.js"]))).toBeUndefined();
    expect(
      manifestAdapter(Manifest.parse({ kind: "x", programs: ["x"] })).recognise(started(["node", script])),
    ).toBeUndefined();
  });

  test("tells the state by title and screen, and has no session", () => {
    const states = ["* at work", "? may I", "robot"].map((title) => adapter.titleStatus(title, "working"));
    expect(states).toEqual(["working", "waiting", "idle"]);
    expect(adapter.titleStatus("robot")).toBeUndefined();
    expect(adapter.interruptKeys).toBe("\x03");
    expect([adapter.apps, adapter.home(() => "/home"), adapter.sessions("/home")]).toEqual([["robot"], undefined, []]);
    expect(matchesOf(manifest, { title: "robot", screen: "Thinking\nProceed? [y/n]" })).toEqual([
      { name: "title.working", matches: false },
      { name: "title.waiting", matches: false },
      { name: "screen.working", matches: true },
      { name: "screen.waiting", matches: true },
    ]);
  });

  test.each([
    ["{", "is not JSON"],
    ['{"kind":"robot"}', "expected `programs` or `paths`"],
    ['{"kind":"Robot","programs":["robot"]}', "expected lower-case letters"],
    ['{"kind":"robot","programs":["robot"],"screen":{"working":"(a"}}', "expected a regular expression, got one with"],
    [
      '{"kind":"robot","programs":["robot"],"screen":{"working":"(?=a)"}}',
      "expected a regular expression, got one with",
    ],
    ['{"kind":"robot","programs":["robot"],"screen":{"working":"(a{200}){9}"}}', "that repeats less"],
    ['{"kind":"robot","programs":["robot"],"run":"rm -rf /"}', "run"],
    ['{"kind":"robot","paths":["my folder"]}', "expected folders"],
  ])("with a mistake is refused: %s", (text, why) => {
    expect(() => parseManifest(text)).toThrow(why);
  });

  test("takes linear time for what would hang JavaScript's own engine", () => {
    const { screenStatus } = manifestAdapter(
      Manifest.parse({ kind: "robot", programs: ["robot"], screen: { working: "(a+)+$" } }),
    );
    expect(screenStatus?.busy.test(`${"a".repeat(20_000)}!`)).toBe(false);
  });
});

describe("the manifests", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "manifests-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));

  test("that are built in are known kinds, with a kind each and none that has an adapter", () => {
    const kinds = loadManifests(undefined, reserved).map(({ kind }) => kind);
    expect(kinds).toEqual(["amp", "auggie", "cline", "cursor-agent", "kilo", "pi"]);
    const all = allAdapters().map(({ kind }) => kind);
    expect(all).toEqual([...reserved, ...kinds]);
    expect(new Set(all).size).toBe(all.length);
  });

  test("of the user come beside them and replace them; what is wrong says why and harms no other", () => {
    put("robot.json", { kind: "robot", programs: ["robot"] });
    put("kilo.json", { kind: "kilo", programs: ["my-kilo"] });
    put("claude.json", { kind: "claude", programs: ["claude"] });
    put("bad.json", { kind: "bad" });
    writeFileSync(join(folder, "notes.txt"), "");
    mkdirSync(join(folder, "folder.json"));
    const loaded = loadManifests(folder, reserved);
    expect(loaded.find(({ kind }) => kind === "kilo")).toMatchObject({ file: join(folder, "kilo.json") });
    expect(loaded.flatMap(({ kind, problem }) => (problem === undefined ? [] : [[kind, problem]]))).toEqual([
      ["bad", expect.stringContaining("programs")],
      ["claude", 'The kind "claude" is built in, and has no manifest.'],
      ["folder", expect.any(String)],
    ]);
    expect(allAdapters(loaded).map(({ kind }) => kind)).toContain("robot");
  });

  test("of one kind in several files say which of them counts", () => {
    for (const name of ["a", "b", "c"]) put(`${name}.json`, { kind: "robot", programs: [name] });
    const robots = loadManifests(folder, reserved).filter(({ kind }) => kind === "robot");
    expect(robots.map(({ file, problem }) => [file, problem])).toEqual([
      [join(folder, "c.json"), undefined],
      [join(folder, "a.json"), `Another file describes the kind "robot": ${join(folder, "b.json")}.`],
      [join(folder, "b.json"), `Another file describes the kind "robot": ${join(folder, "c.json")}.`],
    ]);
  });

  test("beyond 100 are not read, and the first of them says so", () => {
    for (let number = 100; number < 203; number += 1) put(`r${number}.json`, { kind: `r${number}`, programs: ["r"] });
    const loaded = loadManifests(folder, reserved);
    expect(loaded.filter(({ problem }) => problem !== undefined)).toEqual([
      {
        kind: "r200",
        file: join(folder, "r200.json"),
        problem: "Only 100 manifests are read: not this file, and 2 more after it.",
      },
    ]);
    expect(loaded.some(({ kind }) => kind === "r199")).toBe(true);
  });
});
