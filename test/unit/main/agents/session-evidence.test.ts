import { beforeEach, describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../../core/protocol/agent-records.ts";
import { SessionId } from "../../../../core/protocol/ids.ts";
import type { LiveAgent } from "../../../../main/agents/live-agent.ts";
import { SessionEvidence } from "../../../../main/agents/session-evidence.ts";
import { paperAgent } from "../../../support/paper-agent.ts";

const session = SessionId.parse("agents-test-session");
let screens: Map<number, string>;
let transcripts: Map<string, string[]>;
let reads: number;
let evidence: SessionEvidence;
let agents: [LiveAgent, LiveAgent, LiveAgent];

beforeEach(() => {
  screens = new Map();
  transcripts = new Map();
  reads = 0;
  evidence = new SessionEvidence({
    screen: async ({ shellId }) => {
      reads += 1;
      return screens.get(shellId) ?? "";
    },
    follow: (_adapter, _home, id) => async () => (transcripts.get(id) ?? []).splice(0).map(said),
  });
  agents = [paperAgent(session, 1), paperAgent(session, 2), paperAgent(session, 3)];
});

function said(text: string, index: number): AgentEvent {
  return { id: `${text}${index}`, type: "user_message", at: "2026-11-24T00:00:00.000Z", text, data: {} };
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
