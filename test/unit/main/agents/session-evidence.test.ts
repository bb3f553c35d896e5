import { beforeEach, describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../../core/protocol/agent-records.ts";
import { SessionId } from "../../../../core/protocol/ids.ts";
import type { LiveAgent } from "../../../../main/agents/live-agent.ts";
import { SessionEvidence } from "../../../../main/agents/session-evidence.ts";
import { paperAgent } from "../../../support/paper-agent.ts";

const session = SessionId.parse("agents-test-session");
const START = Date.parse("2026-11-24T00:00:00.000Z");
let screens: Map<number, string>;
let transcripts: Map<string, string[]>;
let reads: number;
let now: number;
let evidence: SessionEvidence;
let agents: [LiveAgent, LiveAgent, LiveAgent];

beforeEach(() => {
  screens = new Map();
  transcripts = new Map();
  reads = 0;
  now = START;
  evidence = new SessionEvidence({
    clock: { now: () => now },
    screen: async ({ shellId }) => {
      reads += 1;
      return screens.get(shellId) ?? "";
    },
    follow: (_adapter, _home, id) => async () => (transcripts.get(id) ?? []).splice(0).map(said),
  });
  agents = [paperAgent(session, 1), paperAgent(session, 2), paperAgent(session, 3)];
});

/** @param text - what was said; a number of seconds after `START` may come before it, as in `5: repair` */
function said(text: string, index: number): AgentEvent {
  const [seconds = "", ...words] = text.split(": ");
  const at = new Date(START + (words.length === 0 ? 0 : Number(seconds) * 1000)).toISOString();
  return { id: `${text}${index}`, type: "user_message", at, text: words.join(": ") || text, data: {} };
}

/** Asks for a session as a poll does, looks, and returns what each agent is told of it. */
async function look(...ids: string[]): Promise<unknown[][]> {
  const ask = () =>
    ids.map((id) =>
      agents.map((one) =>
        evidence.shownIn(
          one,
          agents.filter((other) => other !== one),
          id,
        ),
      ),
    );
  ask();
  await evidence.look();
  return ask();
}

test("of thousands of sessions that a program has written, few are looked for at a time", async () => {
  const [first] = agents;
  const followed: string[] = [];
  const looking = new SessionEvidence({
    clock: { now: () => now },
    screen: async () => "",
    follow: (_adapter, _home, id) => {
      followed.push(id);
      return async () => [];
    },
  });
  for (let number = 0; number < 5000; number += 1) looking.shownIn(first, [], `s${number}`);
  await looking.look();
  expect(followed).toEqual(Array.from({ length: 20 }, (_, number) => `s${number}`));
  looking.shownIn(first, [], "later");
  await looking.look();
  expect(followed.at(-1)).toBe("later");
});

test("a transcript that is asked for now and then is read on, and one that is not any more is forgotten", async () => {
  let followed = 0;
  const looking = new SessionEvidence({
    clock: { now: () => now },
    screen: async () => "",
    follow: () => {
      followed += 1;
      return async () => [];
    },
  });
  const [first] = agents;
  for (const unasked of [1, 5, 6]) {
    looking.shownIn(first, [], "x");
    await looking.look();
    for (let round = 0; round < unasked; round += 1) await looking.look();
  }
  expect(followed).toBe(1);
  looking.shownIn(first, [], "x");
  await looking.look();
  expect(followed).toBe(2);
});

describe("of several agents in one folder", () => {
  test("the one whose screen alone shows the transcript's text works on it", async () => {
    transcripts.set("x", ["repair the parser"]);
    screens.set(2, "> repair the parser");
    screens.set(1, "> something else");
    expect(await look("x")).toEqual([["elsewhere", "here", "elsewhere"]]);
  });

  test("none is given a session whose text two screens show, or two transcripts contain", async () => {
    transcripts.set("x", ["repair the parser"]);
    screens.set(1, "> repair the parser");
    screens.set(2, "> repair the parser");
    expect(await look("x")).toEqual([[undefined, undefined, undefined]]);
    transcripts.set("y", ["repair the parser"]);
    screens.set(2, "");
    expect(await look("x", "y")).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    transcripts.set("y", ["and the lexer too"]);
    screens.set(2, "> and the lexer too");
    expect(await look("x", "y")).toEqual([
      [undefined, undefined, undefined],
      ["elsewhere", "here", "elsewhere"],
    ]);
  });

  test("none is given a session of which two screens show each a part", async () => {
    transcripts.set("x", ["repair the parser", "and the lexer too"]);
    screens.set(1, "> repair the parser");
    screens.set(2, "> and the lexer too");
    expect(await look("x")).toEqual([[undefined, undefined, undefined]]);
  });

  test("the report of a hook in an agent's shell decides at once", () => {
    evidence.prove(agents[2], "x");
    expect(evidence.shownIn(agents[2], [], "x")).toBe("here");
    expect(evidence.shownIn(agents[0], [], "x")).toBe("elsewhere");
    evidence.keepOnly(new Set(["p1", "p2"]));
    expect(evidence.shownIn(agents[0], [], "x")).toBeUndefined();
  });

  test("a report from another shell takes no session from the agent that works on it, until that goes on to another", () => {
    evidence.prove(agents[0], "x");
    evidence.prove(agents[1], "x");
    expect(evidence.shownIn(agents[0], [], "x")).toBe("here");
    evidence.prove(agents[0], "y");
    evidence.prove(agents[1], "x");
    expect(evidence.shownIn(agents[1], [], "x")).toBe("here");
  });

  test("a report takes no session from the agent whose screen showed it", async () => {
    transcripts.set("x", ["repair the parser"]);
    screens.set(1, "> repair the parser");
    await look("x");
    evidence.prove(agents[1], "x");
    expect(evidence.shownIn(agents[0], [], "x")).toBe("here");
  });

  test("of an agent that is said to work on many sessions, the latest count", () => {
    for (let session = 0; session < 60; session += 1) evidence.prove(agents[0], `s${session}`);
    expect(evidence.shownIn(agents[1], [], "s59")).toBe("elsewhere");
    expect(evidence.shownIn(agents[1], [], "s0")).toBeUndefined();
  });
});

describe("an agent that resumes an older session", () => {
  /** Lets the first agent work on a session, as a poll that followed it does. */
  function joinFirst(sessionId: string): void {
    agents[0].joined = { sessionId, home: "/home/u/.qwen", cwd: "/work" };
  }

  /** Asks as a poll does for a session that grew since so many seconds after `START`, looks, and asks again. */
  async function resumed(id: string, seconds: number): Promise<unknown> {
    const ask = () => evidence.shownIn(agents[0], agents.slice(1), id, START + seconds * 1000);
    ask();
    await evidence.look();
    return ask();
  }

  beforeEach(() => {
    now = START + 100_000;
  });

  test("is proven in it by what was said since, not by what a list of sessions shows of it", async () => {
    joinFirst("new");
    transcripts.set("old", ["-60: repair the parser"]);
    screens.set(1, "1. repair the parser   yesterday");
    expect(await resumed("old", 5)).toBeUndefined();
    transcripts.set("old", ["9: and the lexer too"]);
    screens.set(1, "> repair the parser\n> and the lexer too");
    expect(await resumed("old", 5)).toBe("here");
    expect(await resumed("old", 20)).toBeUndefined();
  });

  test("is not proven in it by what it was told in the session that it works on", async () => {
    joinFirst("new");
    transcripts.set("new", ["4: please continue with it"]);
    transcripts.set("old", ["9: please continue with it"]);
    screens.set(1, "> please continue with it");
    expect(await resumed("old", 5)).toBeUndefined();
  });

  test("is not led back by the proof of the session that it has left, until something new is said there", async () => {
    transcripts.set("new", ["4: repair the parser"]);
    screens.set(1, "> repair the parser");
    expect((await look("new"))[0]?.[0]).toBe("here");
    joinFirst("new");
    transcripts.set("old", ["9: and the lexer too"]);
    screens.set(1, "> repair the parser\n> and the lexer too");
    expect(await resumed("old", 5)).toBe("here");
    joinFirst("old");
    expect((await look("new"))[0]?.[0]).toBeUndefined();
    // What it was proven by before proves nothing again, so that no poll follows the other without end.
    expect(await evidence.look()).toBe(false);
    transcripts.set("new", ["15: now the printer"]);
    screens.set(1, "> now the printer");
    expect((await look("new"))[0]?.[0]).toBe("here");
    joinFirst("new");
    expect(evidence.shownIn(agents[0], [], "old")).toBeUndefined();
  });

  test("takes it from another agent only once that works on another", async () => {
    evidence.prove(agents[1], "old", START + 1000);
    transcripts.set("old", ["9: and the lexer too"]);
    screens.set(1, "> and the lexer too");
    expect(await resumed("old", 5)).toBe("elsewhere");
    evidence.prove(agents[1], "next", START + 2000);
    expect(await resumed("old", 5)).toBe("here");
  });

  test("is led by the newest report of a hook, but not by the end of a turn in the session that it has left", () => {
    joinFirst("new");
    evidence.prove(agents[0], "new", START + 4000);
    evidence.prove(agents[0], "other", START + 3000);
    expect(evidence.shownIn(agents[0], [], "other")).toBeUndefined();
    evidence.prove(agents[0], "old", START + 9000);
    expect(evidence.shownIn(agents[0], [], "old", START + 5000)).toBe("here");
    joinFirst("old");
    evidence.prove(agents[0], "new", START + 12_000);
    expect(evidence.shownIn(agents[0], [], "new", START + 10_000)).toBeUndefined();
    evidence.prove(agents[0], "old", START + 14_000);
    expect(evidence.shownIn(agents[0], [], "old", START + 13_000)).toBe("here");
  });

  test("is not held in a session by a text of a time to come", async () => {
    joinFirst("new");
    transcripts.set("new", ["9000: repair the parser"]);
    screens.set(1, "> repair the parser");
    expect((await look("new"))[0]?.[0]).toBe("here");
    now += 10_000;
    evidence.prove(agents[0], "old");
    expect(evidence.shownIn(agents[0], [], "old", START)).toBe("here");
  });
});

test("no screen is read while nothing was said, nor for long after nothing new was", async () => {
  await look("x");
  expect(reads).toBe(0);
  transcripts.set("x", ["repair the parser"]);
  for (let round = 0; round < 40; round += 1) await look("x");
  expect(reads).toBeLessThan(100);
  const before = reads;
  await look("x");
  expect(reads).toBe(before);
});
