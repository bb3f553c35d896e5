import { beforeAll, expect, test } from "vitest";
import type { AgentCost } from "../../core/protocol/agent-records.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { descendantsOf } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { type AgentPlace, agentPlace, installOnly, type Truth } from "./programs.ts";
import { startInShell } from "./start-in-shell.ts";

/** `AGENT_MINUTES=60 npm run test:agents -- mixed-use` works for an hour. */
const MINUTES = Number(process.env.AGENT_MINUTES ?? 2);
const TURN_MS = 60_000;
/** Gemini CLI takes no Enter for a moment after it has taken text. */
const ENTER_AGAIN_MS = 2_000;
/** The line of the screen that takes text, or the choice that is marked. */
const INPUT = /^[│ ]*[❯›>]\s/;
/** Codex asks where a new conversation runs. */
const WHERE = /Use current Git worktree/;
/** A program takes its command for a new conversation within this time. */
const ANEW_MS = 3_000;
const LAST_LINES = 12;

/** How each program is used: each speaks to a stub of its own. */
const programs = {
  claude: {
    words: "--model claude-sonnet-4-6",
    once: "--model claude-haiku-4-5 -p",
    resume: "--continue",
    anew: "/clear",
  },
  codex: { words: "", once: "exec", resume: "resume --last", anew: "/new" },
  gemini: { words: "", once: "-m gemini-2.5-pro --approval-mode yolo -p", resume: "--resume latest", anew: "/clear" },
  qwen: { words: "", once: "--approval-mode yolo -p", resume: "--continue", anew: "/clear" },
} as const;
type Program = keyof typeof programs;
const names = Object.keys(programs) as Program[];

const says = ["SAY{Done.}", "RUN{echo hi} SAY{Ran it.}", "SAY{A longer answer.} and more words", "SAY{Yes.}"];
const endings = ["quit", "kill", "close"] as const;

beforeAll(() => installOnly(...names), 900_000);

test(`${MINUTES} min of short runs, prompts, new conversations, resumes and kills: each token is counted once, and nothing works at the end`, {
  timeout: MINUTES * 60_000 + 600_000,
}, async () => {
  using lab = new AgentLab();
  const places = new Map<Program, AgentPlace>();
  for (const name of names) places.set(name, await agentPlace(lab, name, name));
  const env = Object.assign({}, ...[...places.values()].map((place) => place.env));
  await using relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env });
  await using _client = await relay.join();
  const { state, shells } = relay.relay.sessions.get(relay.session);
  const done = new Map<string, number>();
  const ends = Date.now() + MINUTES * 60_000;

  /** The tokens of a program's calls, as the relay counts them, and as its stub has answered. */
  const counted = async (program: Program): Promise<Omit<Truth, "calls">> => {
    const { agents } = await relay.command<AgentCost>("getAgentCost", {});
    const own = agents.filter(({ agentType }) => agentType === program);
    const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((total, one) => total + of(one), 0);
    return {
      input: sum(({ input }) => input),
      output: sum(({ output }) => output),
      cached: sum(({ cached }) => cached),
    };
  };
  const answered = (program: Program): Omit<Truth, "calls"> => {
    const { calls: _calls, ...tokens } = (places.get(program) ?? expect.unreachable()).truth();
    return tokens;
  };
  const isCounted = async (program: Program) =>
    JSON.stringify(await counted(program)) === JSON.stringify(answered(program));

  async function use(program: Program): Promise<void> {
    const place = places.get(program) ?? expect.unreachable();
    const { words, once, resume, anew } = programs[program];
    const agentOf = (shell: ShellId) =>
      state.now.agents.find(({ shellId, agentType }) => shellId === shell && agentType === program);
    const press = (shell: ShellId, ...keys: string[]) => relay.command("sendKeys", { id: shell, keys });
    const newShell = async () => (await relay.command<{ shellId: ShellId }>("createShell", { cwd: place.cwd })).shellId;
    const screen = async (shell: ShellId) => (await shells.host.screen({ shell })).text;
    /** What stands in the program's input, with what it proposes there. */
    const input = async (shell: ShellId) =>
      (await screen(shell))
        .trim()
        .split("\n")
        .slice(-LAST_LINES)
        .filter((line) => INPUT.test(line))
        .join("\n");
    const note = (what: string) => done.set(`${program} ${what}`, (done.get(`${program} ${what}`) ?? 0) + 1);

    /** Types a line, and presses Enter until the program has taken it. */
    const enter = async (shell: ShellId, text: string, isTaken: () => boolean | Promise<boolean>) => {
      await press(shell, text);
      await until(`${program} to show ${text}`, async () => (await input(shell)).includes(text), TURN_MS);
      let pressed = 0;
      await until(
        `${program} to take ${text}`,
        async () => {
          if (await isTaken()) return true;
          if (Date.now() - pressed < ENTER_AGAIN_MS) return false;
          pressed = Date.now();
          await press(shell, "Enter");
          return false;
        },
        TURN_MS,
      );
    };
    const isAtRest = (shell: ShellId) =>
      place.calls().every(({ closed }) => closed !== undefined) && agentOf(shell)?.state === "idle";
    const prompt = async (shell: ShellId, text: string) => {
      const before = place.calls().length;
      const steps = text.includes("RUN{") ? 2 : 1;
      await enter(shell, text, () => place.calls().length > before);
      await until(`the answers of ${program}`, () => place.calls().length >= before + steps, TURN_MS);
      await until(`the end of a turn of ${program}`, () => isAtRest(shell), TURN_MS);
      // An agent that is killed before it has written its transcript takes the tokens with it.
      await until(`the tokens of ${program}`, () => isCounted(program), TURN_MS);
      note("prompt");
    };
    const end = async (shell: ShellId, how: (typeof endings)[number]) => {
      if (how === "close") await relay.command("closeShell", { id: shell });
      else {
        const pid = state.now.shells.find(({ id }) => id === shell)?.pid;
        if (how === "kill" && pid != null) for (const one of await descendantsOf(pid)) process.kill(one.pid, "SIGKILL");
        else await enter(shell, "/quit", async () => agentOf(shell) === undefined);
        await until(`the end of ${program}`, () => agentOf(shell) === undefined, TURN_MS);
        await relay.command("closeShell", { id: shell });
      }
      note(how);
    };

    for (let round = 0; Date.now() < ends; round++) {
      const shell = await newShell();
      if (round % 4 === 0) {
        await until("the prompt of the shell", async () => (await screen(shell)).trim() !== "", TURN_MS);
        await press(
          shell,
          `${place.command} ${once} 'SAY{hi}' </dev/null >/dev/null 2>&1; echo "ended $((${round}))"`,
          "Enter",
        );
        await until(`a run of ${program}`, async () => (await screen(shell)).includes(`ended ${round}\n`), TURN_MS);
        await relay.command("closeShell", { id: shell });
        note("run");
        continue;
      }
      await startInShell(relay, shell, { program, place, words: round % 4 === 3 ? resume : words });
      if (round % 4 === 3) note("resume");
      await prompt(shell, says[round % says.length] ?? "");
      if (round % 4 === 2) {
        const began = Date.now();
        await enter(shell, anew, async () => Date.now() - began > ANEW_MS && !WHERE.test(await input(shell)));
        note("new conversation");
        await prompt(shell, says[(round + 1) % says.length] ?? "");
      }
      await end(shell, endings[round % endings.length] ?? "quit");
    }
  }

  const lanes = await Promise.allSettled(names.map(use));
  for (const name of names) await until("the sums", () => isCounted(name), TURN_MS / 2).catch(() => undefined);
  const failed = lanes.flatMap((lane) => (lane.status === "rejected" ? [String(lane.reason)] : []));
  console.log([...done].map(([what, count]) => `${what}: ${count}`).join(", "), failed);
  for (const name of names) expect([name, await counted(name)]).toEqual([name, answered(name)]);
  expect(state.now.agents.filter((agent) => agent.state === "working")).toEqual([]);
  expect(failed).toEqual([]);
});
