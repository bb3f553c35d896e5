import { readdirSync, readFileSync } from "node:fs";
import { until } from "../support/until.ts";
import { pause, type QuestionLab, TYPING_MS } from "./question-lab.ts";
import { isTrue, ReportedStates, type TrueState } from "./reported-states.ts";

/** How a kind of agent is spoken to, and what its screen shows. */
export interface TruthKind {
  readonly words?: string;
  /** The screen when it takes prompts. */
  readonly ready: RegExp;
  /** The screen while a turn runs. */
  readonly busy: RegExp;
  /** The screen while it asks whether a command may run; absent for a kind that never asks. */
  readonly dialog?: RegExp;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** The keys that stop a turn, one after another. */
  readonly stop: readonly string[];
  /** Escape lets its commands run on in the background. */
  readonly keepsCommands?: true;
  /** The command that begins another conversation. */
  readonly fresh: string;
  readonly quit: readonly string[];
}

/** Between keys that a program would take for one. */
const BETWEEN_KEYS_MS = 300;
/** A program that tries a failed call again does so within this time, or shows that it will. */
const AGAIN_WITHIN_MS = 1500;
const RETRIES_FOR_MS = 10_000;
/** What is waited for of a text that was typed: it may be broken into lines. */
const SHOWN_END = 8;
/** A program that starts on a busy machine needs up to so long. */
const START_MS = 180_000;
/** How long a state is held after it was reported. */
const HOLD_MS = 2000;
/** A wrong state is watched for so long. */
const WATCH_MS = 8000;

/** Drives an agent from state to state; of each it is known since when it is true. */
export class TruthRun implements Disposable {
  readonly states: ReportedStates;
  readonly #agent: QuestionLab;
  readonly #kind: TruthKind;

  constructor(agent: QuestionLab, kind: TruthKind) {
    this.#agent = agent;
    this.#kind = kind;
    this.states = new ReportedStates(() => agent.agent?.state ?? "none");
  }

  /** Takes the start of the program, which was typed. */
  async started(name: string): Promise<void> {
    const takesPrompts = async () => this.#kind.ready.test(await this.#agent.screen());
    await this.#wait("its input", takesPrompts, START_MS);
    await this.#is(name, "idle", Date.now());
    await pause(HOLD_MS); // what is typed before its screen is complete is lost
  }

  async startAgain(name: string): Promise<void> {
    this.#ends();
    await this.#agent.press(`clear; ${this.#agent.command} ${this.#kind.words ?? ""}`.trim(), "Enter");
    await this.started(name);
  }

  /** Sends a prompt. Resolves when it works on it. */
  async prompt(name: string, text: string): Promise<void> {
    const before = this.#agent.calls().length;
    await this.#type(text);
    const { opened } = await this.#wait(`the call of ${name}`, () => this.#agent.calls()[before]);
    // A program that gets no time on a busy machine shows its turn later, and the relay sees no sooner.
    let shown = opened;
    const isShown = async () => {
      if (await this.#isBusy()) shown = Date.now();
      return shown > opened || this.#agent.calls()[before]?.closed !== undefined;
    };
    await this.#wait(`the turn of ${name}`, isShown);
    this.states.add(name, "working", shown);
  }

  /** Waits for the end of the turn, whose last text is known. */
  async answered(name: string, text: string): Promise<void> {
    const answer = new RegExp(`(?<!SAY\\{)${text}`, "u");
    const isShown = async () => {
      const screen = await this.#agent.screen();
      return answer.test(screen) && !this.#kind.busy.test(screen);
    };
    const at = await this.#since(`the answer of ${name}`, async () => !this.#isCalling && (await isShown()));
    this.states.end(this.#lastClosed);
    await this.#is(name, "idle", at);
  }

  /** Waits until it asks whether a command may run. */
  async asks(name: string): Promise<void> {
    const { dialog } = this.#kind;
    const at = await this.#since(name, async () => dialog?.test(await this.#agent.screen()) === true);
    this.states.end(this.#lastClosed);
    await this.#is(name, "waiting", at);
  }

  /** Allows the command, `sleep` with these seconds. */
  async allow(name: string, secondsOfSleep: string): Promise<void> {
    await this.#press(this.#kind.allow);
    const at = await this.#since(name, () => this.#sleeps(secondsOfSleep));
    this.states.add(name, "working", at);
  }

  async deny(name: string): Promise<void> {
    await this.#press(this.#kind.deny);
    await this.#isQuiet(name, 60_000);
  }

  /** Stops a turn while it waits for the model. */
  async stopCall(name: string): Promise<void> {
    await pause(HOLD_MS);
    await this.#press(this.#kind.stop);
    const at = await this.#since(name, async () => !this.#isCalling && !(await this.#isBusy()));
    await this.#is(name, "idle", at);
  }

  /** Stops a turn while a command runs, `sleep` with these seconds. */
  async stopCommand(name: string, secondsOfSleep: string): Promise<void> {
    await pause(HOLD_MS);
    await this.#press(this.#kind.stop);
    const at = await this.#since(name, async () => !this.#sleeps(secondsOfSleep) && !(await this.#isBusy()));
    await this.#is(name, "idle", at);
  }

  /** Sends a prompt whose calls fail; a program that tries again and again is stopped. */
  async fails(name: string, status: number): Promise<void> {
    await this.prompt(name, `Break it. FAIL{${status}}`);
    try {
      await this.#isQuiet(`${name} is over`, RETRIES_FOR_MS);
    } catch {
      await this.#press(this.#kind.stop);
      await this.#isQuiet(`${name} is stopped`, 60_000);
    }
  }

  /** Begins another conversation; the agent stays between turns. */
  async fresh(name: string): Promise<void> {
    await this.#type(this.#kind.fresh);
    await this.#is(name, "idle", Date.now());
    await pause(HOLD_MS);
  }

  async quit(name: string): Promise<void> {
    await this.#press(this.#kind.quit);
    await this.#isGone(name);
  }

  async kill(name: string): Promise<void> {
    await pause(HOLD_MS);
    this.#ends();
    for (const { pid } of this.#programs()) process.kill(pid, "SIGKILL");
    await this.#isGone(name);
  }

  async #isGone(name: string): Promise<void> {
    await this.#is(name, "none", await this.#since(name, () => this.#programs().length === 0));
  }

  /** Waits until no call is open, no turn is shown and no dialog, and nothing follows. */
  async #isQuiet(name: string, timeoutMs: number): Promise<void> {
    const { busy, dialog } = this.#kind;
    let quietSince: number | undefined;
    const isQuiet = async () => {
      const screen = await this.#agent.screen();
      const shows = busy.test(screen) || dialog?.test(screen) === true;
      if (this.#isCalling || shows) quietSince = undefined;
      else quietSince ??= Date.now();
      return quietSince !== undefined && Date.now() - quietSince > AGAIN_WITHIN_MS ? quietSince : undefined;
    };
    const at = await until(name, isQuiet, timeoutMs);
    // Between the failed call and what the screen shows of it, both states are true.
    this.states.end(this.#lastClosed);
    await this.#is(name, "idle", at);
  }

  /** Takes that a state is true since a time, and watches what is reported. */
  async #is(name: string, state: TrueState, at: number): Promise<void> {
    this.states.add(name, state, at);
    const isRight = () => isTrue(this.#agent.agent?.state ?? "none", state);
    await until(`${state} after ${name}`, isRight, WATCH_MS).catch(() => undefined);
    await pause(HOLD_MS);
  }

  async #since(what: string, ask: () => boolean | Promise<boolean>): Promise<number> {
    await this.#wait(what, ask);
    return Date.now();
  }

  #wait<T>(what: string, ask: () => T | Promise<T>, timeoutMs = 60_000): Promise<NonNullable<T>> {
    return until(what, ask, timeoutMs).catch(async (error: unknown) => {
      console.log(await this.#agent.screen());
      throw error;
    });
  }

  async #type(text: string): Promise<void> {
    // A turn that was stopped before its answer leaves its prompt in the input.
    await this.#agent.press("C-u");
    await pause(BETWEEN_KEYS_MS);
    await this.#agent.press(text);
    await this.#agent.shows(text.slice(-SHOWN_END), 60_000);
    await pause(TYPING_MS);
    this.#ends();
    await this.#agent.press("Enter");
  }

  async #press(keys: readonly string[]): Promise<void> {
    const [last, ...before] = keys.toReversed();
    for (const key of before.toReversed()) {
      await this.#agent.press(key);
      await pause(BETWEEN_KEYS_MS);
    }
    this.#ends();
    if (last !== undefined) await this.#agent.press(last);
  }

  #ends(): void {
    this.states.end(Date.now());
  }

  async #isBusy(): Promise<boolean> {
    return this.#kind.busy.test(await this.#agent.screen());
  }

  get #isCalling(): boolean {
    return this.#agent.calls().some(({ closed }) => closed === undefined);
  }

  get #lastClosed(): number {
    return Math.max(0, ...this.#agent.calls().flatMap(({ closed }) => closed ?? []));
  }

  #sleeps(secondsOfSleep: string): boolean {
    return this.#processes().some(({ words }) => words === `sleep\0${secondsOfSleep}\0`);
  }

  /** The agent's processes with a terminal, without shells. */
  #programs() {
    return this.#processes().filter(({ hasTerminal, name }) => hasTerminal && name !== "bash");
  }

  /** What runs with the home folder of the lab. */
  #processes() {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${this.#agent.home}\0`)) return [];
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [, , , , tty] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
        return [
          { pid: Number(pid), name, hasTerminal: tty !== "0", words: readFileSync(`/proc/${pid}/cmdline`, "utf8") },
        ];
      } catch {
        return [];
      }
    });
  }

  [Symbol.dispose](): void {
    this.states[Symbol.dispose]();
  }
}
