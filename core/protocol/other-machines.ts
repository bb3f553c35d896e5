import type { SessionId, ShellId } from "./ids.ts";
import type { MachineOverview, MachineRef } from "./machines.ts";
import type { GivenAnswer, Question } from "./questions.ts";

/** An answer to a question of an agent on another machine, whose relay decides whether the key may give it. */
export interface MachineAnswer extends GivenAnswer {
  readonly session: SessionId;
  /** Id of the question. */
  readonly id: number;
  /** Seconds to wait for proof that the agent took the answer. */
  readonly wait: number;
}

/** A shell of another machine. */
export interface MachineShell {
  readonly session: SessionId;
  readonly shell: ShellId;
}

/** Another machine, as the relay uses it for its owner. Its key never leaves the implementation. */
export interface OtherMachine {
  /**
   * Answers a question of an agent there, with the machine's key: the machine decides whether that may.
   *
   * @returns the question with its receipt
   * @throws RemoteError with the refusal, such as `question_closed`; `relay_away` while the machine is away
   */
  answerQuestion(answer: MachineAnswer): Promise<Question>;
  /** Lists the questions of a shell there, closed ones too. Rejects as `answerQuestion` does. */
  questionsOf(shell: MachineShell): Promise<readonly Question[]>;
  /**
   * Keeps a key once the machine has accepted it.
   *
   * @param session one that the key is to open; undefined where none is known
   * @throws RemoteError with the reason why it is not kept
   */
  takeKey(key: string, session: SessionId | undefined): Promise<void>;
  forgetKey(): Promise<void>;
}

/** The machines that the relay's owner knows: the user's remotes, and the other relays of the fleet. */
export interface OtherMachines {
  /** Undefined where there is no such machine now; another one never takes its place. */
  find(ref: MachineRef): OtherMachine | undefined;
  /** Asks all of them at once; takes up to 3 s. */
  list(): Promise<readonly MachineOverview[]>;
}
