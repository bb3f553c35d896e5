import type { MachineOpening } from "../../../client/open-session.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { MachineRef } from "../../../core/protocol/machines.ts";
import type { Question } from "../../../core/protocol/questions.ts";
import type { MachineAnswer, MachineShellRef, PanelRemote } from "../../../preload/panel-content.ts";

/** A relay of another machine, as windows and the panel use it. Its key never leaves the implementation. */
export interface Machine {
  readonly ref: MachineRef;
  /** Names the machine's key in the keychain and the places of its windows; a remote keeps it when it is renamed. */
  readonly id: string;
  /** Base address below which a browser finds its sessions. */
  readonly url: string;
  /** When it was last heard of (ISO 8601). */
  readonly lastSeen: string;
  hasKey(): Promise<boolean>;
  /**
   * Finds a session of the machine by its id or name. Needs the key where only the machine knows its sessions.
   *
   * @throws RemoteError where there is none, and while the machine is away
   */
  findSession(wanted: string): Promise<{ readonly id: SessionId; readonly name: string }>;
  /** Connects with the machine's key. Rejects with an Error for the user while the machine is away. */
  connect(session: SessionId): Promise<MachineOpening>;
  /**
   * Answers a question of an agent there, with the machine's key: the machine decides whether that may.
   *
   * @returns the question with its receipt
   * @throws RemoteError with the refusal, such as `question_closed`; Error for the user while the machine is away
   */
  answerQuestion(answer: MachineAnswer["answer"]): Promise<Question>;
  /** Lists the questions of a shell there, closed ones too. Rejects as `answerQuestion` does. */
  questionsOf(shell: Omit<MachineShellRef, keyof MachineRef>): Promise<readonly Question[]>;
  /**
   * Keeps a key once the machine has accepted it.
   *
   * @param session one that the key is to open; undefined where none is known
   * @throws RemoteError with the reason why it is not kept
   */
  takeKey(key: string, session: SessionId | undefined): Promise<void>;
  forgetKey(): Promise<void>;
}

/** The machines whose sessions this app shows: the user's remotes, and the other relays of the fleet. */
export interface Machines {
  /** Undefined where there is no such machine now; another one never takes its place. */
  find(ref: MachineRef): Machine | undefined;
  /** Returns the remote of a name, else the relay of the fleet; undefined for neither. */
  named(name: string): Machine | undefined;
  /** Asks all of them at once; takes up to 3 s. */
  list(): Promise<readonly PanelRemote[]>;
}
