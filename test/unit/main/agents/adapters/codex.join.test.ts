import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type JoinRequest, NO_SESSION, type PromptOrigin } from "../../../../../main/agents/adapters/adapter.ts";
import { codexAdapter } from "../../../../../main/agents/adapters/codex.ts";
import { processInfo } from "../../../../support/process-info.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-codex-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const launchedAt = Date.now() - 60_000;

/** A thread's id, born so many seconds after the process. */
function id(seconds: number, tail = "0"): string {
  const born = (launchedAt + seconds * 1000).toString(16).padStart(12, "0");
  return `${born.slice(0, 8)}-${born.slice(8)}-7000-8000-${tail.padStart(12, "0")}`;
}

const terminal = { source: "vscode", originator: "codex-tui" };
const exec = { source: "exec", originator: "codex_exec" };
const editor = { source: "vscode", originator: "codex_vscode" };

/** Writes a rollout as of its first prompt, so many seconds after the process began. */
function rollout(thread: string, prompted: number, meta: object, cwd = "/work"): string {
  const at = new Date(launchedAt + prompted * 1000).toISOString();
  const [year = "", month = "", day = ""] = at.slice(0, 10).split("-");
  const folder = join(home, "sessions", year, month, day);
  mkdirSync(folder, { recursive: true });
  const line = { timestamp: at, type: "session_meta", payload: { id: thread, cwd, ...meta } };
  const path = join(folder, `rollout-${at.slice(0, 19).replaceAll(":", "-")}-${thread}.jsonl`);
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  return path;
}

/** Lets a rollout be written last so many seconds after the process began. */
function changed(path: string, seconds: number): void {
  const at = launchedAt / 1000 + seconds;
  utimesSync(path, at, at);
}

function lock(thread: string): void {
  const folder = join(home, "thread-writer-locks");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${thread}.lock`), "");
}

interface Case extends Partial<Omit<JoinRequest, "process" | "known">> {
  readonly argv?: readonly string[];
  readonly files?: readonly string[];
  readonly known?: string;
  readonly isProven?: boolean;
}

function found(
  adapter: ReturnType<typeof codexAdapter>,
  { argv = ["codex"], files = ["/dev/pts/1"], known, isProven = false, ...more }: Case = {},
) {
  const process = processInfo({
    startedAt: launchedAt,
    comm: "codex",
    argv: () => argv,
    exe: () => "/bin/codex",
    cwd: () => "/work",
    env: (name) => (name === "CODEX_HOME" ? home : undefined),
    openFiles: () => files,
  });
  const assumed = isProven ? {} : { assumed: true as const };
  const before = known === undefined ? undefined : { sessionId: known, home, cwd: "/work", ...assumed };
  return adapter.join({
    process,
    launchedAt,
    cwd: "/work",
    known: before,
    aloneAt: () => true,
    shownIn: () => undefined,
    taken: () => false,
    ...more,
  });
}

function joined(adapter: ReturnType<typeof codexAdapter>, wanted: Case = {}) {
  const answer = found(adapter, wanted);
  return typeof answer === "object" ? answer.sessionId : answer;
}

describe("a terminal whose threads a daemon keeps", () => {
  test("takes the first thread of its own kind that was born after it in its folder", () => {
    rollout(id(1), 1, exec);
    rollout(id(2), 2, editor);
    rollout(id(3), 3, { source: "cli", originator: "codex-tui" });
    rollout(id(4), 4, terminal, "/elsewhere");
    rollout(id(-5), 5, terminal);
    expect(joined(codexAdapter())).toBeUndefined();
    rollout(id(6), 6, terminal);
    rollout(id(7), 7, terminal);
    expect(joined(codexAdapter())).toBe(id(6));
  });

  test("lets go of what turns out to be another's: another program's thread, or another terminal's prompt", () => {
    const adapter = codexAdapter();
    lock(id(1));
    expect(joined(adapter)).toBe(id(1));
    rollout(id(1), 5, exec);
    expect(joined(adapter, { known: id(1) })).toBe(NO_SESSION);
    rollout(id(2), 6, terminal);
    expect(joined(adapter, { known: id(1) })).toBe(id(2));
    expect(joined(adapter, { known: id(2), prompted: () => "other" })).toBe(NO_SESSION);
    // A report may be late or lost; that another has reported is certain.
    expect(joined(adapter, { known: id(2), prompted: () => "unheard" })).toBe(id(2));
    // A process that is about to end shows no files any more.
    expect(joined(adapter, { known: id(2), prompted: () => "other", files: [] })).toBe(id(2));
  });

  test("follows /new where it is alone, or where its own reports tell that the prompt was given in it", () => {
    rollout(id(1), 2, terminal);
    rollout(id(10), 20, terminal);
    const later = (more: Case) => joined(codexAdapter(), { known: id(1), ...more });
    const told = (origin: PromptOrigin | undefined) => (at: number) => (at > launchedAt + 10_000 ? origin : undefined);
    expect(later({})).toBe(id(10));
    expect(later({ aloneAt: (at) => at < launchedAt + 5000 })).toBe(id(1));
    expect(later({ aloneAt: () => false })).toBe(NO_SESSION);
    const shownIn = (thread: string) => (thread === id(10) ? ("here" as const) : undefined);
    expect(later({ aloneAt: () => false, shownIn })).toBe(id(10));
    expect(later({ aloneAt: () => false, shownIn: () => "here" })).toBe(id(10));
    expect(later({ shownIn: () => "elsewhere" })).toBe(NO_SESSION);
    expect(later({ prompted: told("other") })).toBe(id(1));
    expect(later({ prompted: told("unheard") })).toBe(id(1));
    expect(later({ aloneAt: () => false, prompted: told("own") })).toBe(id(10));
    expect(later({ seenIn: () => "elsewhere" })).toBe(id(1));
  });

  test("is given back, by a relay that starts anew, the thread that its shell had last", () => {
    rollout(id(1), 2, terminal);
    rollout(id(2), 3, terminal);
    rollout(id(10), 20, terminal);
    const seenIn = (thread: string) => (thread === id(2) ? "elsewhere" : "here");
    expect(joined(codexAdapter(), { seenIn, aloneAt: () => false })).toBe(id(10));
    expect(joined(codexAdapter(), { seenIn: (thread) => (thread === id(1) ? "elsewhere" : undefined) })).toBe(id(2));
  });

  test("that resumed the last thread is given none where two older ones have grown", () => {
    const argv = ["codex", "resume", "--last"];
    rollout(id(-100), 5, terminal);
    rollout(id(5), 5, exec);
    expect(joined(codexAdapter(), { argv })).toBe(id(-100));
    rollout(id(-50), 5, exec);
    expect(joined(codexAdapter(), { argv })).toBeUndefined();
  });
});

describe("a terminal of the daemon that resumes an older thread", () => {
  const old = id(-3600);
  let locks: number[];
  beforeEach(() => {
    locks = [];
    mkdirSync(join(home, "app-server-daemon"));
    // The test itself is the daemon: it keeps the locks open.
    writeFileSync(join(home, "app-server-daemon", "daemon.pid"), JSON.stringify({ pid: process.pid }));
  });
  afterEach(() => {
    for (const one of locks) closeSync(one);
  });

  function keep(thread: string): void {
    lock(thread);
    locks.push(openSync(join(home, "thread-writer-locks", `${thread}.lock`), "r"));
  }

  /** Tells that a thread was shown by the terminal at so many seconds after the process began. */
  const proof = (thread: string, seconds: number): Pick<JoinRequest, "shownIn"> => ({
    shownIn: (session, since = 0) => (session === thread && launchedAt + seconds * 1000 > since ? "here" : undefined),
  });

  test("is followed by proof, before its first prompt and from a thread that is assumed or proven, and stays there", () => {
    changed(rollout(old, -3600, exec), 20);
    keep(old);
    expect(found(codexAdapter(), proof(old, 19))).toEqual({ sessionId: old, home, cwd: "/work" });
    changed(rollout(id(1), 2, terminal), 10);
    for (const isProven of [false, true])
      expect(found(codexAdapter(), { known: id(1), isProven, ...proof(old, 19) })).toEqual({
        sessionId: old,
        home,
        cwd: "/work",
      });
    // Neither the prompts that were given in the one before nor its age lead back to it.
    const seenIn = () => "here" as const;
    const after = { known: old, isProven: true, seenIn, ...proof(old, 19) };
    expect(joined(codexAdapter(), after)).toBe(old);
    expect(joined(codexAdapter(), { ...after, prompted: () => "own" })).toBe(old);
    expect(joined(codexAdapter(), { ...after, argv: ["codex", "resume", id(-50)] })).toBe(old);
    expect(joined(codexAdapter(), { ...after, ...proof(id(1), 30) })).toBe(id(1));
  });

  test("is not followed without proof, nor by an outdated one, nor to what another terminal or no daemon keeps", () => {
    changed(rollout(old, -3600, terminal), 20);
    changed(rollout(id(1), 2, terminal), 10);
    const known = { known: id(1), isProven: true };
    expect(joined(codexAdapter(), { ...known, ...proof(old, 19) })).toBe(id(1));
    keep(old);
    expect(joined(codexAdapter(), known)).toBe(id(1));
    expect(joined(codexAdapter(), { ...known, ...proof(old, 9) })).toBe(id(1));
    expect(joined(codexAdapter(), { ...known, ...proof(old, 19), taken: (one) => one === old })).toBe(id(1));
    expect(joined(codexAdapter(), { ...known, shownIn: (one) => (one === old ? "elsewhere" : undefined) })).toBe(id(1));
    expect(joined(codexAdapter(), { ...known, ...proof(old, 19), argv: ["codex", "exec", "Look."] })).not.toBe(old);
    expect(joined(codexAdapter(), { ...known, ...proof(old, 19) })).toBe(old);
  });
});

test("`codex exec` is in the thread that it has open, and in no other", () => {
  const argv = ["codex", "exec", "Look."];
  rollout(id(1), 1, exec);
  expect(joined(codexAdapter(), { argv })).toBeUndefined();
  const open = join(home, "sessions", "2026", "11", "21", `rollout-2026-11-21T02-57-03-${id(2)}.jsonl`);
  expect(joined(codexAdapter(), { argv, files: [open] })).toBe(id(2));
});

test("of an ended process only threads of its kind, its folder and its time may be its own", () => {
  rollout(id(1), 1, exec);
  rollout(id(2), 2, terminal);
  rollout(id(3), 3, exec, "/elsewhere");
  rollout(id(30), 30, exec);
  rollout(id(-3), 1, exec);
  const ended = {
    pid: 5,
    argv: ["codex", "exec", "Look."],
    home,
    cwd: "/work",
    launchedAt,
    endedAt: launchedAt + 10_000,
    inaccuracy: 50,
    taken: () => false,
    runsOn: () => false,
  };
  const adapter = codexAdapter();
  expect(adapter.sessionsOf(ended)).toEqual([id(1)]);
  expect(adapter.sessionsOf({ ...ended, argv: ["codex"] })).toEqual([id(2)]);
  expect(adapter.sessionsOf({ ...ended, argv: ["codex", "resume", id(-3)] })).toEqual([id(-3)]);
  expect(adapter.sessionsOf({ ...ended, taken: (thread) => thread === id(1) })).toEqual([]);
  const continued = ["codex", "exec", "resume", "--last"];
  const last = { ...ended, argv: continued, endedAt: Date.now() + 10_000, taken: () => true };
  const grown = adapter.sessionsOf(last);
  expect(grown, "an ended agent's thread may be continued").not.toEqual([]);
  expect(adapter.sessionsOf({ ...last, runsOn: () => true })).toEqual([]);
});
