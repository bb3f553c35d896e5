import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AgentLab, session, until } from "./agent-lab.ts";
import { actors, quit, start } from "./stage.ts";

let lab: AgentLab;
beforeEach(() => {
  lab = new AgentLab();
});
afterEach(() => lab[Symbol.dispose]());

const claude = { kind: "claude", transcript: actors[0]?.transcript ?? "" } as const;
const codex = { kind: "codex", transcript: actors[1]?.transcript ?? "" } as const;
const gemini = { kind: "gemini", transcript: actors[2]?.transcript ?? "" } as const;

const hostile: Record<string, (path: string) => void> = {
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
  "a folder": (path) => mkdirSync(path),
  "a socket": (path) => {
    const server = createServer().listen(path);
    lab.undo.add(() => server.close());
  },
  "a gigabyte": (path) => {
    writeFileSync(path, '{"model":"x');
    truncateSync(path, 1024 ** 3);
  },
};

describe.each(Object.entries(hostile))("%s in the place of", (_, make) => {
  const put = (...names: string[]) => {
    const path = join(lab.home, ...names);
    mkdirSync(dirname(path), { recursive: true });
    make(path);
  };

  test("a project's settings leaves the agent without them, and everything else goes on", async () => {
    const cwd = lab.folder("work", "proj");
    put("work", "proj", ".claude", "settings.json");
    put("work", "proj", ".claude", "settings.local.json");
    put(".claude", "settings.json");
    const shell = lab.shell(cwd);
    await start(lab, claude, shell);
    await lab.agents.poll();
    await lab.agents.poll();
    expect(lab.agents.list(session)).toMatchObject([{ agentType: "claude", model: "" }]);
    shell.run("play");
    await until("the usage", async () => {
      await lab.agents.poll();
      return lab.agents.cost(session).total.output > 0;
    });
  });

  test("an agent's own files leaves it listed, and ends nothing", async () => {
    const shells = [claude, codex, gemini].map((actor) => ({
      actor,
      shell: lab.shell(lab.folder("work", actor.kind)),
    }));
    put(".codex", "config.toml");
    put(".gemini", "settings.json");
    put(".gemini", "projects.json");
    put(".claude", "projects", "-tmp", "11111111-1111-4111-8111-111111111111.jsonl");
    put(
      ".codex",
      "sessions",
      "2026",
      "11",
      "21",
      "rollout-2026-11-21T02-57-03-01a1fc09-3354-7e42-8c65-f6df7ca02111.jsonl",
    );
    put(".gemini", "tmp", "slug", "chats", "session-2026-11-21T02-57-5bb6df6e.jsonl");
    for (const { actor, shell } of shells) await start(lab, actor, shell, { as: "silent" });
    const pid = /\d+/.exec(execFileSync("pgrep", ["-f", `${lab.home}/bin/claude`], { encoding: "utf8" }))?.[0];
    put(".claude", "sessions", `${pid}.json`);
    await lab.agents.poll();
    await lab.agents.poll();
    expect(lab.agents.list(session).map(({ agentType }) => agentType)).toEqual(
      expect.arrayContaining(["claude", "codex"]),
    );
    for (const { shell } of shells) await quit(shell);
    await lab.agents.poll();
    expect(lab.agents.list(session)).toEqual([]);
  });
});

test("prices that are a pipe count as none, with a line in the log", async () => {
  const prices = join(lab.home, "prices.json");
  execFileSync("mkfifo", [prices]);
  const priced = lab.watch({ overridesFile: prices });
  const shell = lab.shell(lab.folder("work"));
  await start(lab, claude, shell);
  shell.run("play");
  await until("the usage", async () => {
    await priced.poll();
    return priced.cost(session).total.cost > 0;
  });
  expect(lab.logged.join()).toContain("price overrides ignored");
});
