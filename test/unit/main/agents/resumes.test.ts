import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { allAdapters } from "../../../../main/agents/adapters/all.ts";
import { Conversations } from "../../../../main/agents/conversations.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import { Resumes } from "../../../../main/agents/resumes.ts";
import { type AgentRun, agentMigrations, type ProgramStart, usageStore } from "../../../../main/agents/usage-store.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const TYPED = "3374e44a-3626-41a4-8b49-1220ae11de36";
const KINDS = ["claude", "codex", "gemini", "qwen", "copilot", "opencode"];
const session = SessionId.parse("session-1");

let home: string;
let database: Database.Database;

/** A user's home folder with the transcripts of all kinds; one conversation's folder is there. */
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "resumes-"));
  for (const kind of KINDS) cpSync(join(fixtures, kind), home, { recursive: true });
  mkdirSync(join(home, "work"));
  const path = join(home, ".claude/projects/-home-dev-my-proj-b", `${TYPED}.jsonl`);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("/home/dev/my.proj_b", join(home, "work")));
  database = new Database(":memory:");
  for (const sql of agentMigrations) database.exec(sql);
});
afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

function lab({ ended = [], live = [] }: { ended?: readonly AgentRun[]; live?: readonly AgentRun[] } = {}) {
  const conversations = new Conversations({
    adapters: allAdapters(),
    accounts: {
      source: (adapter, from, sessionId) => ({ adapter, home: from, sessionId, log: { problem: () => {} } }),
    },
    price: async () => createPricing(() => []),
    runs: () => [...ended, ...live].map((run) => ({ run, status: "idle" })),
    env: (name) => (name === "HOME" ? home : undefined),
  });
  const resumes = new Resumes({
    store: usageStore(database),
    adapters: allAdapters(),
    live: { runs: () => live.map((run) => ({ run, status: "idle" })) },
    conversations,
  });
  return { resumes, conversations };
}

function runOf(program?: ProgramStart, more: Partial<AgentRun> = {}): AgentRun {
  const times = { startedAt: "2026-11-21T00:00:00.000Z", lastActivityAt: "2026-11-21T00:00:00.000Z" };
  const place = { session, shellId: ShellId.parse(3), home: join(home, ".claude"), cwd: "/elsewhere" };
  return { agentType: "claude", sessionId: TYPED, model: "m", ...place, ...times, program, ...more };
}

test("a conversation that was in no shell is resumed in its folder, without options", () => {
  expect(lab().resumes.find({ agentSessionId: TYPED })).toEqual({
    ...{ command: `claude --resume ${TYPED}`, cwd: join(home, "work"), env: {}, leftOut: [] },
  });
});

test("conversations of all kinds have a line that names them, and are refused while their folders are gone", async () => {
  const { resumes, conversations } = lab();
  const listed = await conversations.list({ limit: 500 });
  expect(new Set(listed.map(({ agentType }) => agentType))).toEqual(new Set(KINDS));
  for (const { agentType, sessionId: agentSessionId } of listed) {
    if (agentSessionId === TYPED) continue;
    const { command, why } = resumes.find({ agentSessionId, agentType });
    expect(command.startsWith(`${agentType} `), command).toBe(true);
    expect(command.endsWith(agentSessionId), command).toBe(true);
    expect(why).toMatch(/^Its folder \/home\/dev\/.* does not exist now\.$/);
  }
});

test("the options and the account of its last start are repeated; options that would need quotes are left out and named", () => {
  const env = { CLAUDE_CONFIG_DIR: "/home/me/other account" };
  const start = (...args: string[]) => lab({ ended: [runOf({ name: "claude", args, env })] }).resumes;
  expect(start("--model", "opus", "--verbose", "do it").find({ agentSessionId: TYPED })).toMatchObject({
    command: `claude --resume ${TYPED} --model opus --verbose`,
    ...{ env, leftOut: [] },
  });
  expect(start("--model", "opus; rm -rf ~", "--verbose").find({ agentSessionId: TYPED })).toMatchObject({
    command: `claude --resume ${TYPED}`,
    leftOut: ["--model", "--verbose"],
  });
  const odd = lab({ ended: [runOf({ name: "/opt/my tools/claude", args: [], env: {} })] });
  expect(odd.resumes.find({ agentSessionId: TYPED }).command).toBe(`claude --resume ${TYPED}`);
});

test("one that an agent works on in a shell is not resumed, and the shell is named", () => {
  expect(lab({ live: [runOf()] }).resumes.find({ agentSessionId: TYPED })).toMatchObject({
    why: "An agent works on it in shell 3.",
    runsIn: { session, shellId: 3 },
  });
});

test("one in another folder than the agent's own needs to be known with its account", () => {
  const other = mkdtempSync(join(tmpdir(), "resumes-other-"));
  try {
    const below = "projects/-p";
    cpSync(join(home, ".claude/projects/-home-dev-my-proj-b", `${TYPED}.jsonl`), join(other, below, `${TYPED}.jsonl`));
    rmSync(join(home, ".claude"), { recursive: true });
    const find = (program?: ProgramStart) =>
      lab({ ended: [runOf(program, { home: other })] }).resumes.find({ agentSessionId: TYPED });
    expect(find().why).toContain(`It is kept in ${other}`);
    const env = { CLAUDE_CONFIG_DIR: other };
    const found = find({ name: "claude", args: [], env });
    expect([found.why, found.env]).toEqual([undefined, env]);
    // As the folder of an agent in a container is named, which is another one in there.
    const reached = realpathSync(other) + sep;
    const whyOf = (folder: string) => {
      const program = { name: "claude", args: [], env: { CLAUDE_CONFIG_DIR: folder } };
      return lab({ ended: [runOf(program, { home: reached })] }).resumes.find({ agentSessionId: TYPED }).why;
    };
    expect(whyOf("/root/.claude")).toContain("as in a container");
    expect(whyOf(reached)).toBeUndefined();
  } finally {
    rmSync(other, { recursive: true });
  }
});

test("one without a transcript is not resumed", () => {
  const { resumes } = lab({ ended: [runOf(undefined, { sessionId: "gone" })] });
  expect(resumes.find({ agentSessionId: "gone" }).why).toMatch(/^Nothing was said in it/);
  expect(() => resumes.find({ agentSessionId: "unknown" })).toThrow(/No conversation "unknown"/);
});
