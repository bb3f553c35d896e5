import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type AgentAdapter,
  type EndedProcess,
  type JoinRequest,
  NO_SESSION,
} from "../../../../../main/agents/adapters/adapter.ts";
import { copilotAdapter } from "../../../../../main/agents/adapters/copilot.ts";
import { geminiAdapter } from "../../../../../main/agents/adapters/gemini.ts";
import { qwenAdapter } from "../../../../../main/agents/adapters/qwen.ts";
import { processInfo } from "../../../../support/process-info.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-join-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const launchedAt = Date.now() - 60_000;
const id = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, "0")}`;

function write(path: string, record: object, changedSeconds: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(record)}\n`);
  const changed = (launchedAt + changedSeconds * 1000) / 1000;
  utimesSync(path, changed, changed);
}

const after = (seconds: number) => new Date(launchedAt + seconds * 1000).toISOString();

/** Writes a transcript whose first prompt was so many seconds after the process began. */
function chat(tail: number, prompted: number, changed = prompted): void {
  const path = join(home, ".qwen", "projects", "-work-my-proj", "chats", `${id(tail)}.jsonl`);
  write(path, { uuid: "u", sessionId: id(tail), timestamp: after(prompted), type: "user" }, changed);
}

interface Case extends Partial<Omit<JoinRequest, "process" | "known">> {
  readonly argv?: readonly string[];
  readonly known?: string;
  readonly isProven?: boolean;
  readonly pid?: number;
}

function found(adapter: AgentAdapter, { argv = ["qwen"], known, isProven = false, pid = 5, ...more }: Case = {}) {
  const process = processInfo({
    pid,
    startedAt: launchedAt,
    comm: "node",
    argv: () => argv,
    exe: () => "/usr/bin/node",
    cwd: () => "/work/my.proj",
    env: (name) => (name === "HOME" ? home : undefined),
  });
  const request: JoinRequest = {
    process,
    launchedAt,
    cwd: "/work/my.proj",
    known:
      known === undefined
        ? undefined
        : { sessionId: known, home, cwd: "/work/my.proj", ...(isProven ? {} : { assumed: true }) },
    taken: () => false,
    aloneAt: () => true,
    shownIn: () => undefined,
    ...more,
  };
  return adapter.join(request);
}

function joined(adapter: AgentAdapter, wanted: Case = {}) {
  const one = found(adapter, wanted);
  return typeof one === "object" ? one.sessionId : one;
}

describe("qwen", () => {
  test("is joined to the first session of its folder that began after it, and not to another's", () => {
    chat(1, -30);
    expect(joined(qwenAdapter())).toBeUndefined();
    chat(2, 5);
    chat(3, 9);
    expect(joined(qwenAdapter())).toBe(id(2));
    expect(joined(qwenAdapter(), { taken: (session) => session === id(2) })).toBe(id(3));
    expect(joined(qwenAdapter(), { seenIn: () => "elsewhere" })).toBeUndefined();
  });

  test("alone in its folder it is followed to a session that began later, beside another it is not", () => {
    chat(2, 5);
    chat(3, 9);
    expect(joined(qwenAdapter(), { known: id(2) })).toBe(id(3));
    expect(joined(qwenAdapter(), { known: id(2), aloneAt: (at) => at < launchedAt + 7000 })).toBe(id(2));
    expect(joined(qwenAdapter(), { known: id(3) })).toBe(id(3));
  });

  test("is followed to a fork, whose copied records keep their times", () => {
    chat(2, 5);
    const path = join(home, ".qwen", "projects", "-work-my-proj", "chats", `${id(3)}.jsonl`);
    const copied = { uuid: "u", sessionId: id(3), timestamp: after(5), type: "user", forkedFrom: { sessionId: id(2) } };
    write(path, copied, 60);
    expect(joined(qwenAdapter(), { known: id(2) })).toBe(id(3));
    const shownIn = (session: string) => (session === id(3) ? ("here" as const) : undefined);
    expect(joined(qwenAdapter(), { known: id(2), isProven: true, shownIn })).toBe(id(3));
  });

  test("beside another it is joined to what its screen shows, and to nothing before that", () => {
    chat(2, 5);
    chat(3, 9);
    const beside = { aloneAt: () => false };
    const shows = (tail: number) => ({
      ...beside,
      shownIn: (session: string) => (session === id(tail) ? ("here" as const) : undefined),
    });
    expect(joined(qwenAdapter(), beside)).toBeUndefined();
    expect(found(qwenAdapter(), shows(3))).toEqual({
      sessionId: id(3),
      home: join(home, ".qwen"),
      cwd: "/work/my.proj",
    });
    // What was joined before the other agent was found is given up, or replaced by what the screen shows.
    expect(joined(qwenAdapter(), { ...beside, known: id(2) })).toBe(NO_SESSION);
    expect(found(qwenAdapter(), { ...shows(3), known: id(2) })).toMatchObject({ sessionId: id(3), insteadOf: id(2) });
    expect(joined(qwenAdapter(), { known: id(2), shownIn: () => "elsewhere" })).toBe(NO_SESSION);
    // Another agent may have been given it before by mistake.
    expect(joined(qwenAdapter(), { ...shows(3), taken: () => true, seenIn: () => "elsewhere" })).toBe(id(3));
  });

  test("what nothing proves is assumed until the screen shows it", () => {
    chat(2, 5);
    expect(found(qwenAdapter())).toMatchObject({ sessionId: id(2), assumed: true });
    expect(found(qwenAdapter(), { known: id(2), shownIn: () => "here" })).not.toHaveProperty("assumed");
    chat(3, 9);
    // Once proven, only proof leads to another one.
    const proven = { known: id(2), isProven: true };
    expect(joined(qwenAdapter(), proven)).toBe(id(2));
    const shownIn = (session: string) => (session === id(3) ? ("here" as const) : undefined);
    expect(joined(qwenAdapter(), { ...proven, shownIn })).toBe(id(3));
  });

  describe("that resumes an older session within the running program", () => {
    /** Tells that a session was shown by the terminal at so many seconds after the process began. */
    const proof = (tail: number, seconds: number): Pick<JoinRequest, "shownIn"> => ({
      shownIn: (session, since = 0) =>
        session === id(tail) && launchedAt + seconds * 1000 > since ? "here" : undefined,
    });

    test("is followed by proof, before its first prompt and from a session that is assumed or proven", () => {
      chat(1, -30, 20);
      expect(found(qwenAdapter(), proof(1, 19))).toEqual({
        sessionId: id(1),
        home: join(home, ".qwen"),
        cwd: "/work/my.proj",
      });
      chat(2, 5);
      for (const isProven of [false, true]) {
        const one = found(qwenAdapter(), { known: id(2), isProven, ...proof(1, 19) });
        // The session before is left, and not taken back.
        expect(one).toEqual({ sessionId: id(1), home: join(home, ".qwen"), cwd: "/work/my.proj" });
      }
      // It stays there, beside a younger one that it has left.
      expect(joined(qwenAdapter(), { known: id(1), isProven: true, ...proof(1, 19) })).toBe(id(1));
      // From the older one it goes to another that is older than the process.
      chat(3, -20, 40);
      expect(joined(qwenAdapter(), { known: id(1), isProven: true, ...proof(3, 39) })).toBe(id(3));
    });

    test("is not followed by growth alone, nor by a proof from before the known session grew last", () => {
      chat(1, -30, 20);
      expect(joined(qwenAdapter())).toBeUndefined();
      chat(2, 5, 10);
      expect(joined(qwenAdapter(), { known: id(2), isProven: true })).toBe(id(2));
      expect(joined(qwenAdapter(), { known: id(2), isProven: true, ...proof(1, 9) })).toBe(id(2));
      expect(joined(qwenAdapter(), { known: id(2), isProven: true, ...proof(1, 19) })).toBe(id(1));
      chat(2, 5, 30);
      expect(joined(qwenAdapter(), { known: id(2), isProven: true, ...proof(1, 40) })).toBe(id(2));
    });

    test("is given no session of another terminal that grows, by whatever it shows", () => {
      chat(1, -30, 20);
      chat(2, 5);
      const known = { known: id(2), isProven: true };
      expect(joined(qwenAdapter(), { ...known, shownIn: () => "elsewhere" })).toBe(id(2));
      expect(joined(qwenAdapter(), { ...known, ...proof(1, 19), taken: (one) => one === id(1) })).toBe(id(2));
    });

    test("is looked for in the few that grew since it runs, of any number", () => {
      for (let tail = 10; tail < 40; tail += 1) chat(tail, -tail, tail % 2 === 0 ? tail : -1);
      chat(2, 5);
      const asked: string[] = [];
      const shownIn = (session: string) => {
        asked.push(session);
        return undefined;
      };
      expect(joined(qwenAdapter(), { known: id(2), isProven: true, shownIn })).toBe(id(2));
      expect(asked).toEqual([38, 36, 34, 32, 30].map(id));
    });
  });

  test("continues a named session, or the one that grows", () => {
    chat(1, -30);
    expect(joined(qwenAdapter(), { argv: ["qwen", "--resume", id(1)] })).toBe(id(1));
    expect(joined(qwenAdapter(), { argv: ["qwen", "--continue"] })).toBeUndefined();
    chat(1, -30, 3);
    expect(joined(qwenAdapter(), { argv: ["qwen", "--continue"] })).toBe(id(1));
  });

  test("that ended before it was known is matched by time", () => {
    chat(1, -30);
    chat(2, 5);
    const ended: EndedProcess = {
      pid: 5,
      argv: ["qwen", "-p", "x"],
      home: join(home, ".qwen"),
      cwd: "/work/my.proj",
      launchedAt,
      endedAt: launchedAt + 8000,
      inaccuracy: 100,
      taken: () => false,
      runsOn: () => false,
    };
    expect(qwenAdapter().sessionsOf(ended)).toEqual([id(2)]);
    expect(qwenAdapter().sessionsOf({ ...ended, endedAt: launchedAt + 1000 })).toEqual([]);
    expect(qwenAdapter().sessionsOf({ ...ended, taken: () => true })).toEqual([]);
    const continued = { ...ended, argv: ["qwen", "--continue", "-p", "x"], taken: () => true };
    expect(qwenAdapter().sessionsOf(continued), "an ended agent's session may be continued").toEqual([id(2)]);
    expect(qwenAdapter().sessionsOf({ ...continued, runsOn: () => true })).toEqual([]);
  });
});

describe("gemini", () => {
  function geminiChat(tail: number, started: number, changed = started): void {
    const path = join(
      home,
      ".gemini",
      "tmp",
      "my-proj",
      "chats",
      `session-2026-11-24T00-00-${id(tail).slice(-8)}.jsonl`,
    );
    write(path, { sessionId: id(tail), startTime: after(started) }, changed);
  }
  beforeEach(() => {
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini", "projects.json"), JSON.stringify({ projects: { "/work/my.proj": "my-proj" } }));
  });

  test("is followed to the session that `/clear` begins", () => {
    geminiChat(1, 1);
    expect(joined(geminiAdapter(), { argv: ["gemini"] })).toBe(id(1));
    geminiChat(2, 9);
    expect(joined(geminiAdapter(), { argv: ["gemini"], known: id(1) })).toBe(id(2));
  });

  test("that resumes an old session is not taken for one that began before it and after that session", () => {
    geminiChat(1, -90, 3);
    geminiChat(2, -30);
    expect(joined(geminiAdapter(), { argv: ["gemini", "--resume"] })).toBe(id(1));
    expect(joined(geminiAdapter(), { argv: ["gemini", "--resume"], known: id(1) })).toBe(id(1));
  });

  test("that names the session which it resumes is in that for certain, and no later one is its own by time", () => {
    geminiChat(1, -90, 3);
    geminiChat(2, 1);
    const resumed = { argv: ["gemini", "--resume", id(1)] };
    expect(found(geminiAdapter(), resumed)).toEqual({
      sessionId: id(1),
      home: join(home, ".gemini"),
      cwd: "/work/my.proj",
    });
    expect(joined(geminiAdapter(), { ...resumed, known: id(1), isProven: true })).toBe(id(1));
    expect(joined(geminiAdapter(), { argv: ["gemini", "--resume", "1"] })).toBe(id(2));
  });

  test("that resumes a session in another minute begins an empty log of it, and goes on in the one that has the conversation", () => {
    const log = (minute: string) =>
      join(home, ".gemini", "tmp", "my-proj", "chats", `session-2026-11-27T10-${minute}-${id(1).slice(0, 8)}.jsonl`);
    const head = { sessionId: id(1), startTime: new Date(launchedAt).toISOString(), kind: "main" };
    write(log("50"), { ...head, said: "A conversation is longer." }, 1);
    for (const later of ["49", "51"]) write(log(later), head, 60);
    expect(geminiAdapter().files(join(home, ".gemini"), id(1)).main).toBe(log("50"));
  });
});

describe("copilot", () => {
  const folder = (tail: number) => join(home, ".copilot", "session-state", id(tail));

  function session(tail: number, started: number): void {
    const data = { sessionId: id(tail), startTime: after(started), context: { cwd: "/work/my.proj" } };
    write(join(folder(tail), "events.jsonl"), { type: "session.start", data, id: "e" }, started);
  }

  test("is joined by the file that names its process, follows it, and keeps the session when that is gone", () => {
    session(1, 1);
    session(2, 2);
    expect(joined(copilotAdapter(), { argv: ["copilot"] })).toBeUndefined();
    writeFileSync(join(folder(2), "inuse.5.hold"), "");
    expect(joined(copilotAdapter())).toBe(id(2));
    expect(joined(copilotAdapter(), { pid: 55 })).toBeUndefined();
    rmSync(join(folder(2), "inuse.5.hold"));
    expect(joined(copilotAdapter(), { known: id(2) })).toBe(id(2));
    writeFileSync(join(folder(1), "inuse.5.hold"), "");
    expect(joined(copilotAdapter(), { known: id(2) })).toBe(id(1));
  });

  test.skipIf(process.platform === "win32")("that holds a session is told, if it can have written the file", () => {
    session(1, 1);
    const holder = () => copilotAdapter().holder?.(join(home, ".copilot"), id(1));
    expect(holder()).toBeUndefined();
    writeFileSync(join(folder(1), `inuse.${2 ** 30}.hold`), "");
    for (const odd of ["", "x", "-1", "1.5", "1e9999"]) writeFileSync(join(folder(1), `inuse.${odd}.hold`), "");
    expect(holder()).toBeUndefined();
    const own = join(folder(1), `inuse.${process.pid}.hold`);
    writeFileSync(own, "");
    expect(holder()).toBe(process.pid);
    // A process that was killed has left it, and another program has its pid.
    utimesSync(own, 1, 1);
    expect(holder()).toBeUndefined();
  });

  test("that resumes a session is in it before it holds it", () => {
    session(1, -90);
    const argv = ["copilot", `--resume=${id(1)}`];
    expect(joined(copilotAdapter(), { argv })).toBe(id(1));
    session(2, 3);
    writeFileSync(join(folder(2), "inuse.5.hold"), "");
    expect(joined(copilotAdapter(), { argv })).toBe(id(2));
  });

  test("that ended before it was known is matched by folder and time", () => {
    session(1, 1);
    const ended: EndedProcess = {
      pid: 5,
      argv: ["copilot", "-p", "x"],
      home: join(home, ".copilot"),
      cwd: "/work/my.proj",
      launchedAt,
      endedAt: launchedAt + 8000,
      inaccuracy: 100,
      taken: () => false,
      runsOn: () => false,
    };
    expect(copilotAdapter().sessionsOf(ended)).toEqual([id(1)]);
    expect(copilotAdapter().sessionsOf({ ...ended, cwd: "/elsewhere" })).toEqual([]);
  });
});
