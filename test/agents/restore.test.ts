import { beforeAll, expect, test } from "vitest";
import type { ConversationPage } from "../../core/protocol/conversations.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { descendantsOf } from "../support/processes.ts";
import { startRestoreLab } from "../support/restore-lab.ts";
import { until } from "../support/until.ts";
import { agentPlace, installOnly } from "./programs.ts";
import { pause, TYPING_MS } from "./question-lab.ts";

const kinds = ["claude", "codex", "gemini", "opencode", "copilot", "qwen"] as const;
type Kind = (typeof kinds)[number];
/** How often all kinds at once are killed and restored; not by default. */
const ROUNDS = Number(process.env.RESTORES ?? 0);
const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1);
const pairs: readonly (readonly [Kind, Kind])[] = [...kinds.map((kind) => [kind, kind] as const), ["claude", "codex"]];
beforeAll(() => installOnly(...kinds), 900_000);

/** What the screen has when a program takes a prompt. */
const INVITATIONS: Readonly<Record<Kind, RegExp>> = {
  claude: /^\s*❯(?:\s|$)/mu,
  codex: /^\s*›(?:\s|$)/mu,
  gemini: /Type your message/,
  opencode: /ctrl\+p/,
  copilot: /· \/ commands/,
  qwen: /Type your message/,
};
/** A program draws its input before it takes keys for certain. */
const STARTED_MS = 3000;
const START_MS = 120_000;
const TURN_MS = 90_000;

/** A word for each agent of a round. */
const WORDS = ["anchovy", "bergamot", "cardamom", "dill", "endive", "fennel"] as const;
const promptOf = (word: string) => `Keep a word in mind. SAY{${word}}`;

/** Makes a relay as a process, in whose shells agents of these kinds run in one folder against the stubs of their models. */
async function startAgents(kinds: ReadonlySet<Kind>, home: AgentLab) {
  const lab = await startRestoreLab();
  const places = new Map<Kind, Awaited<ReturnType<typeof agentPlace>>>();
  for (const kind of kinds) places.set(kind, await agentPlace(home, kind));
  const placeOf = (kind: Kind) => {
    const place = places.get(kind);
    if (place === undefined) throw new Error(`there is no place of ${kind}`);
    return place;
  };
  const environment: NodeJS.ProcessEnv = { HOME: home.home };
  for (const { env } of places.values()) Object.assign(environment, env);
  const screen = async (id: number) =>
    (await lab.command<{ output: string }>("getShellOutput", { id, screen: true })).output;
  const look = async (id: number) => `${await screen(id)}\n${JSON.stringify(await lab.agents())}`;
  const press = (id: number, ...keys: string[]) => lab.command("sendKeys", { id, keys });
  const shows = (what: string | RegExp, id: number, timeoutMs = START_MS) =>
    until(
      `${what} on the screen of shell ${id}`,
      async () => {
        const text = await screen(id);
        return typeof what === "string" ? text.includes(what) : what.test(text);
      },
      timeoutMs,
    ).catch(async (error: unknown) => {
      console.log(await look(id));
      throw error;
    });
  const answersIn = async (conversation: string) => {
    const page = await lab.conversation(conversation).catch((): Partial<ConversationPage> => ({}));
    return (page.messages ?? []).flatMap(({ role, kind, text }) =>
      role === "assistant" && kind === "text" ? [text.trim()] : [],
    );
  };
  return {
    lab,
    look,
    shows,
    answersIn,
    start: () => lab.start(environment),
    sessionIn: async (id: number) => (await lab.agents()).find(({ shellId }) => shellId === id)?.sessionId,
    /** The kinds of which a process runs below the relay. */
    async running(): Promise<Kind[]> {
      const commands = (await descendantsOf(lab.serve.child.pid ?? 0)).map(({ command }) => command);
      return [...kinds].filter((kind) => commands.some((command) => command.includes(placeOf(kind).command)));
    },
    async open(kind: Kind): Promise<number> {
      const { cwd, command } = placeOf(kind);
      const { shellId } = await lab.command<{ shellId: number }>("createShell", { cwd });
      await press(shellId, command, "Enter");
      return shellId;
    },
    /** Enters a prompt once the program takes one. */
    async say(kind: Kind, id: number, word: string): Promise<void> {
      await shows(INVITATIONS[kind], id);
      await pause(STARTED_MS);
      await press(id, promptOf(word));
      await shows(promptOf(word), id, 30_000);
      await pause(TYPING_MS);
      await press(id, "Enter");
    },
  };
}

test.each(pairs)(
  "after kill -9 of relay, shell host and agents, %s and %s in one folder each resume their own conversation",
  { timeout: 500_000 },
  (...programs) => killAndRestore(programs),
);

test.each(rounds)(
  "after kill -9 of everything, one agent of each kind in one folder resumes its own conversation, round %i",
  { timeout: 900_000 },
  async (round) => {
    await killAndRestore(kinds);
    process.stdout.write(`round ${round} of ${ROUNDS}: ${kinds.join(", ")}\n`);
  },
);

/** Has agents talk in one folder, kills everything at once, and restores it. */
async function killAndRestore(programs: readonly Kind[]): Promise<void> {
  const used = new Set(programs);
  using home = new AgentLab();
  const agents = await startAgents(used, home);
  await using lab = agents.lab;
  await agents.start();
  const words = WORDS.slice(0, programs.length);
  const before: [shell: number, conversation: string][] = [];
  for (const [index, kind] of programs.entries()) {
    const word = words[index] ?? "";
    const shellId = await agents.open(kind);
    await agents.say(kind, shellId, word);
    const answered = async () => {
      const id = (await agents.sessionIn(shellId)) ?? "";
      return id !== "" && (await agents.answersIn(id)).includes(word) ? id : undefined;
    };
    before.push([shellId, await until(`the answer with ${word}`, answered, TURN_MS)]);
  }
  const isProven = async () => (await lab.agents()).every(({ assumed }) => assumed !== true);
  await until("proof of both sessions", isProven, 60_000);
  expect(new Set(await agents.running())).toEqual(used);
  await lab.killAll();

  await agents.start();
  const offers = await lab.restore({ all: true, dryRun: true });
  expect(offers.map(({ shellId, conversation = "" }) => [shellId, conversation])).toEqual(before);
  expect(offers.map(({ lastPrompt }) => lastPrompt)).toEqual(words.map(promptOf));
  expect(offers.map(({ agents: [agent] }) => [agent?.agentType, agent?.state, agent?.lastAnswer])).toEqual(
    words.map((word, index) => [programs[index], "ready", word]),
  );
  expect(await lab.agents()).toEqual([]);
  expect(await agents.running()).toEqual([]);

  const restored = await lab.restore({ all: true });
  expect(restored.map(({ state, conversation }) => [state, conversation])).toEqual(
    before.map(([, conversation]) => ["resumed", conversation]),
  );
  for (const [index, { newShellId = 0, conversation = "" }] of restored.entries()) {
    const word = words[index] ?? "";
    const next = `${word} again`;
    const kind = programs[index];
    if (kind === undefined) throw new Error(`shell ${newShellId} was not there before`);
    await agents.say(kind, newShellId, next);
    const isContinued = async () => (await agents.answersIn(conversation)).includes(next);
    await until(`the answer with ${next} in its own conversation`, isContinued, TURN_MS).catch(
      async (error: unknown) => {
        console.log(await agents.look(newShellId), JSON.stringify(await lab.conversation(conversation).catch(String)));
        throw error;
      },
    );
    expect(await agents.answersIn(conversation)).toEqual([word, next]);
    await until("its own session", async () => (await agents.sessionIn(newShellId)) === conversation, 60_000);
  }
  expect(await lab.restore()).toEqual([]);
  // The daemon of Codex outlives the relay, whose end waits for all processes below it.
  await lab.killAll();
}
