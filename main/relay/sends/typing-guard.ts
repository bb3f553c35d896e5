import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { GuardReason } from "../../../core/protocol/receipts.ts";
import type { ShellCallResult } from "../../../core/protocol/shell-host.ts";
import type { Writer } from "../access/permits/caller.ts";
import { Drafts } from "./drafts.ts";
import { describeLease, type Leases } from "./leases.ts";

interface TypingGuardOptions {
  readonly leases: Leases;
  /** Whether a question of an agent is open in a shell. */
  readonly isQuestionOpen: (shell: ShellId) => boolean;
  readonly agents: () => readonly Agent[];
  /** Whether a kind of agent is known. */
  readonly isAgentType: (name: string) => boolean;
  readonly info: (
    shell: ShellId,
    program?: { readonly pattern: string; readonly caller: string },
  ) => Promise<ShellCallResult<"info">>;
}

/** What is in the way of a program's input. */
interface GuardObstacle {
  readonly reason: GuardReason;
  /** A sentence without its full stop. */
  readonly why: string;
}

/** Input that is to be checked. */
interface GuardedInput {
  readonly shell: ShellId;
  /** Who types; undefined for a caller that is no program. */
  readonly account: string | undefined;
  /** The program that must be in front. */
  readonly expect?: string | null | undefined;
  /** The input ends a line, which is meant for a shell unless another program is expected or an agent is in front. */
  readonly isLine?: boolean | undefined;
  /** The input only erases the line (`erasesLine`): a prompt that was left there is not in its way. */
  readonly erases?: boolean | undefined;
  /** Id of the prompt that is checked, which does not stand in its own way. */
  readonly prompt?: number | undefined;
}

const CTRL_U = "\u0015";

/** Whether input consists of Ctrl-U alone, which erases a line and can confirm or send nothing. */
export function erasesLine(input: string): boolean {
  return input !== "" && input.replaceAll(CTRL_U, "") === "";
}

/** How a caller's write is guarded: `explicit` also checks the program and the terminal's mode. */
type Guarding = "none" | "default" | "explicit";

/** Returns how a write is guarded: as the caller wishes; by default a program's write to another shell than its own. */
export function guardingOf(
  wish: boolean | undefined,
  { expect, writer, shell }: { expect: string | undefined; writer: Writer; shell: ShellId },
): Guarding {
  if (wish === true || (wish === undefined && expect !== undefined)) return "explicit";
  if (wish === false || !writer.isAutomated) return "none";
  return writer.shell === shell ? "none" : "default";
}

/** Decides whether programs may type into a shell now, and remembers what people have typed there. */
export class TypingGuard {
  readonly #options: TypingGuardOptions;
  readonly #drafts = new Drafts();
  /** The prompts that are being written. */
  readonly #writing = new Map<ShellId, number>();
  /** The prompts that were left in an input. */
  readonly #left = new Map<ShellId, number>();
  /** Shells that mark their prompts. */
  readonly #marked = new Set<ShellId>();
  /** Counts the keys that people have pressed, by shell. */
  readonly #keys = new Map<ShellId, number>();
  /** When a client last typed into a shell, in ms since the epoch. */
  readonly #inputAt = new Map<ShellId, number>();

  constructor(options: TypingGuardOptions) {
    this.#options = options;
  }

  /** Takes the keys that a person's terminal has sent. A key ends the lease of a program. Returns whether there was one. */
  personTyped(shell: ShellId, data: string): boolean {
    if (!this.#drafts.typed(shell, data)) return false;
    this.#left.delete(shell);
    this.#keys.set(shell, this.keys(shell) + 1);
    this.#options.leases.end(shell);
    return true;
  }

  /** Returns a count that changes whenever a person presses a key in the shell. */
  keys(shell: ShellId): number {
    return this.#keys.get(shell) ?? 0;
  }

  /** A client types into the shell. */
  clientTyped(shell: ShellId): void {
    this.#inputAt.set(shell, Date.now());
  }

  /** Returns when a client last typed into a shell, in ms since the epoch. */
  lastInputAt(shell: ShellId): number {
    return this.#inputAt.get(shell) ?? 0;
  }

  /** A prompt was left in the program's input. */
  promptLeft(shell: ShellId, prompt: number): void {
    this.#drafts.leave(shell);
    this.#left.set(shell, prompt);
  }

  /**
   * A program has erased the line. That ends what a prompt left there, never what a person has typed: where only a program
   * runs, nobody else would. A rest of the text on the screen keeps Enter from the next prompt.
   */
  programErased(shell: ShellId): void {
    if (this.#left.has(shell)) this.#forgetLine(shell);
  }

  /** The agent has taken a prompt, so that what was left is gone. */
  promptTaken(shell: ShellId, prompt: number): void {
    if (this.#left.get(shell) === prompt) this.#forgetLine(shell);
  }

  /** A shell has marked a new prompt: what stood in the line is gone. */
  promptShown(shell: ShellId): void {
    this.#marked.add(shell);
    this.#forgetLine(shell);
  }

  /**
   * The program in front has ended, and with it what stood in its line. That is noticed late: where the shell marks its
   * prompts, a person may have typed at the next one already.
   */
  programEnded(shell: ShellId): void {
    if (!this.#marked.has(shell)) this.#forgetLine(shell);
  }

  shellEnded(shell: ShellId): void {
    this.#forgetLine(shell);
    this.#marked.delete(shell);
    this.#keys.delete(shell);
    this.#inputAt.delete(shell);
    this.#options.leases.end(shell);
  }

  /** A prompt is being written. Returns what ends that. */
  write(shell: ShellId, prompt: number): () => void {
    this.#writing.set(shell, prompt);
    return () => {
      if (this.#writing.get(shell) === prompt) this.#writing.delete(shell);
    };
  }

  /** Returns what is in the way of a program's input, of what is known without looking at the terminal. */
  obstacle({ shell, account, prompt, erases = false }: GuardedInput): GuardObstacle | undefined {
    const { leases, isQuestionOpen } = this.#options;
    if (isQuestionOpen(shell)) {
      return {
        reason: "question_open",
        why: `a question of an agent is open in shell ${shell}, and only a person may answer it`,
      };
    }
    if (this.#drafts.has(shell) && !(erases && this.#left.has(shell))) {
      return { reason: "draft_unsent", why: `a text stands in the input of shell ${shell} that was not sent` };
    }
    const lease = account === undefined ? leases.of(shell) : leases.against(shell, account);
    if (lease !== undefined) return { reason: "lease_held", why: describeLease(shell, lease) };
    const writing = this.#writing.get(shell);
    if (writing === undefined || writing === prompt) return undefined;
    return { reason: "lease_held", why: `prompt ${writing} is being written in shell ${shell}` };
  }

  /** Returns what is in the way of a program's input. Rejects with `invalid_params` for a pattern that cannot be used. */
  async inspect(input: GuardedInput): Promise<GuardObstacle | undefined> {
    return this.obstacle(input) ?? (await this.#terminalObstacle(input)) ?? this.obstacle(input);
  }

  /**
   * Checks a write.
   *
   * @throws RemoteError `question_open`, `draft_unsent`, `lease_held`, `unexpected_program`, `terminal_mode`, `invalid_params`
   */
  async check(guarding: Guarding, input: GuardedInput): Promise<void> {
    if (guarding === "none") return;
    const obstacle = guarding === "explicit" ? await this.inspect(input) : this.obstacle(input);
    if (obstacle !== undefined) throw refusalOf(obstacle);
  }

  #forgetLine(shell: ShellId): void {
    this.#left.delete(shell);
    this.#drafts.forget(shell);
  }

  async #terminalObstacle({
    shell,
    account,
    expect,
    isLine = false,
  }: GuardedInput): Promise<GuardObstacle | undefined> {
    const program = this.#patternIn(expect);
    const caller = `expect ${account ?? ""}`;
    const info = await this.#options.info(shell, program === undefined ? undefined : { pattern: program, caller });
    const agent = this.#options.agents().find((one) => one.shellId === shell && one.paused !== true);
    if (agent?.state === "waiting") {
      return { reason: "question_open", why: `${agent.agentType} waits for an answer in shell ${shell}` };
    }
    const isExpected = this.#isExpected(expect ?? undefined, info, agent);
    if (!isExpected) {
      const front = info.atPrompt === true ? "the shell's prompt" : (info.foreground ?? "no known program");
      return { reason: "unexpected_program", why: `expected ${expect} in front in shell ${shell}, found ${front}` };
    }
    const meansShell = expect === "shell" || (isLine && (expect ?? undefined) === undefined && agent === undefined);
    if (meansShell && info.alternateScreen === true) {
      const front = info.foreground ?? "a program";
      return {
        reason: "terminal_mode",
        why: `${front} draws on the alternate screen in shell ${shell}, so a line would not reach a shell`,
      };
    }
    return undefined;
  }

  /** Returns the pattern in what is expected; undefined for the words that are none. */
  #patternIn(expect: string | null | undefined): string | undefined {
    if (expect === undefined || expect === null || expect === "shell") return undefined;
    return this.#options.isAgentType(expect) ? undefined : expect;
  }

  #isExpected(expect: string | undefined, info: ShellCallResult<"info">, agent: Agent | undefined): boolean {
    if (expect === undefined) return true;
    const { atPrompt = null, foreground, command, matches = false } = info;
    if (expect === "shell") return atPrompt ?? foreground === nameOf(command);
    return this.#options.isAgentType(expect)
      ? agent?.agentType === expect && agent.inPane !== true && atPrompt !== true
      : matches;
  }
}

function refusalOf({ reason, why }: GuardObstacle): RemoteError {
  return new RemoteError(reason, `${why.charAt(0).toUpperCase()}${why.slice(1)}: nothing was written.`);
}

function nameOf(command: string): string {
  return command.slice(command.lastIndexOf("/") + 1);
}
