import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import type { Agent } from "../../core/protocol/agent-records.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { answer } from "../support/agent-questions.ts";
import type { ScriptedClient } from "../support/scripted-client.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { type AgentPlace, type AgentProgram, agentPlace, type Truth } from "./programs.ts";

/** Between the keys of a prompt and Enter: a program takes keys that come faster for a paste. */
export const TYPING_MS = 500;

/** How often an answer and a key race for one question. */
export const RACES = Number(process.env.AGENT_RACES ?? 5);
export const RACE_MS = 15_000;

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The answer that refuses what a dialog on the screen asks. */
export function refusalOf({ options }: Question): { readonly option: string; readonly confirmScreen: true } {
  const no = options.find(({ label }) => /^No\b/.test(label)) ?? expect.unreachable(JSON.stringify(options));
  return { option: no.id, confirmScreen: true };
}

interface Wanted {
  readonly program: AgentProgram;
  /** Words after the program's name. */
  readonly words?: string;
  /** Returns the command line that starts the program by another one. */
  readonly within?: (command: string) => string;
  /** Returns a folder of programs that precedes those of PATH. */
  readonly path?: (home: string, command: string) => string;
  /** Connects the agent, before it starts. */
  readonly connect: (lab: LabPlace) => void;
  /** Starts the agent in a shell of its own, in place of a line that is typed into one. */
  readonly start?: (lab: LabPlace) => Promise<ShellId>;
}

interface Race {
  readonly question: Question;
  readonly key: string;
  readonly refusal: Parameters<typeof answer>[2];
  readonly leadMs: number;
  /** The file that the command makes. */
  readonly made: string;
  /** Resolves when the agent's dialog is gone. */
  readonly gone?: () => Promise<unknown>;
}

interface LabPlace {
  readonly home: string;
  readonly cwd: string;
  readonly relay: TestRelay;
}

async function openShell({ relay, cwd }: LabPlace): Promise<ShellId> {
  return (await relay.command<{ shellId: ShellId }>("createShell", { cwd })).shellId;
}

/** A real agent in a shell of a real relay, which is connected to its questions. */
export class QuestionLab implements AsyncDisposable {
  readonly home: string;
  readonly relay: TestRelay;
  readonly client: ScriptedClient;
  readonly shell: ShellId;
  readonly cwd: string;
  /** The command line that starts the agent. */
  readonly command: string;
  /** When the agent said last that it works. */
  readonly worksAt: () => number;
  /** What the stub of its model has answered, without hidden calls. */
  readonly truth: () => Truth;
  readonly calls: AgentPlace["calls"];
  readonly #lab: AgentLab;

  private constructor(
    parts: Pick<QuestionLab, "relay" | "client" | "shell" | "cwd" | "command" | "worksAt" | "truth" | "calls">,
    lab: AgentLab,
  ) {
    this.relay = parts.relay;
    this.client = parts.client;
    this.shell = parts.shell;
    this.cwd = parts.cwd;
    this.command = parts.command;
    this.worksAt = parts.worksAt;
    this.truth = parts.truth;
    this.calls = parts.calls;
    this.home = lab.home;
    this.#lab = lab;
  }

  static async open({
    program,
    words = "",
    within = (line) => line,
    path,
    connect,
    start,
  }: Wanted): Promise<QuestionLab> {
    const lab = new AgentLab();
    const { cwd, command: own, env, truth, calls } = await agentPlace(lab, program);
    const command = within(own);
    let worksAt = 0;
    const relay = await startWatchingRelay({
      home: lab.home,
      undo: lab.undo,
      env: path === undefined ? env : { ...env, PATH: [path(lab.home, own), process.env.PATH].join(delimiter) },
      onHost: (host) =>
        host.onEvent((event) => {
          if (event.kind !== "signal" || event.signal.kind !== "program-status" || event.signal.query) return;
          if (event.signal.fields.state === "working") worksAt = performance.now();
        }),
    });
    const place = { home: lab.home, cwd, relay };
    connect(place);
    const client = await relay.join();
    const shell = start === undefined ? await openShell(place) : await start(place);
    const opened = new QuestionLab({ relay, client, shell, cwd, command, worksAt: () => worksAt, truth, calls }, lab);
    if (start === undefined) await opened.press(`${command} ${words}`.trim(), "Enter");
    return opened;
  }

  press(...keys: string[]): Promise<unknown> {
    return this.relay.command("sendKeys", { id: this.shell, keys });
  }

  async screen(): Promise<string> {
    const { output } = await this.relay.command<{ output: string }>("getShellOutput", { id: this.shell, screen: true });
    return output;
  }

  /** Waits for the agent's session. */
  async joined(timeoutMs = 60_000): Promise<void> {
    await until("the agent", () => this.#agents.some(({ sessionId }) => sessionId !== ""), timeoutMs);
  }

  /** Waits for a text on the screen. */
  async shows(text: string, timeoutMs = 15_000): Promise<void> {
    const shown = async () => (await this.screen()).includes(text);
    await this.#toldOf(until(`“${text}” on the screen`, shown, timeoutMs));
  }

  /** Waits for the end of the turn. */
  async idle(): Promise<void> {
    await this.#toldOf(until("the turn's end", () => this.#agents[0]?.state === "idle", 30_000));
  }

  /** The questions that were told, oldest first. */
  opened(): Question[] {
    return this.client.events.flatMap((event) => (event.type === "question.opened" ? [event.data] : []));
  }

  kept(id: number): Question | undefined {
    return this.relay.relay.sessions.get(this.relay.session).questions.find(id);
  }

  /** Waits until a question is no longer open. */
  ended(id: number): Promise<Question> {
    return until("the end", () => (this.kept(id)?.state === "open" ? undefined : this.kept(id)));
  }

  /** Waits until it is known what has become of an answer. */
  receipt(id: number): Promise<Question> {
    return until("the receipt", () => {
      const now = this.kept(id);
      return now?.state === "answered" && now.receipt?.state !== "pending" ? now : undefined;
    });
  }

  /** Sends a prompt; resolves to the question that follows. `source`: to the first of that source. */
  async asks(prompt: string, source?: Question["source"]): Promise<Question> {
    const found = () => this.opened().filter((question) => source === undefined || question.source === source);
    const before = found().length;
    await this.press(prompt);
    await pause(TYPING_MS);
    await this.press("Enter");
    return this.#toldOf(until("the question", () => found()[before], 90_000));
  }

  /**
   * Lets a key that allows a command race with an answer over HTTP that refuses it, and holds that what Patchbay says is
   * what the agent did. Returns whether the command ran. `leadMs`: from the key to the answer;
   * less than 0 where the answer comes first.
   */
  async race({ question, key, refusal, leadMs, made, gone }: Race): Promise<boolean> {
    const [response] = await Promise.all([
      pause(Math.max(0, leadMs)).then(() => answer(this.relay, question.id, refusal)),
      pause(Math.max(0, -leadMs)).then(() => this.press(key)),
    ]);
    const end = await this.receipt(question.id);
    await gone?.();
    await this.idle();
    const ran = existsSync(join(this.cwd, made));
    console.log("race", response.status, end.answeredBy?.kind, end.receipt?.state, ran);
    expect(response.status === 200).toBe(end.answeredBy?.kind === "user");
    if (end.receipt?.state === "confirmed") expect(ran).toBe(false);
    if (end.receipt?.state === "overruled") expect(ran).toBe(true);
    if (end.answeredBy?.kind === "terminal") expect(ran).toBe(true);
    return ran;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
    await this.relay[Symbol.asyncDispose]();
    this.#lab[Symbol.dispose]();
  }

  /** Prints what is there when a wait is in vain. */
  #toldOf<T>(waited: Promise<T>): Promise<T> {
    return waited.catch(async (error: unknown) => {
      console.log(await this.screen(), JSON.stringify(this.#agents));
      throw error;
    });
  }

  /** What the relay knows of its agent. */
  get agent(): Agent | undefined {
    return this.#agents[0];
  }

  get #agents() {
    return this.client.client.mirror?.agents ?? [];
  }
}
