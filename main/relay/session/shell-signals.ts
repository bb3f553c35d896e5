import type { Shell } from "../../../core/protocol/records.ts";
import { programProgress, type TerminalSignal } from "../../../core/protocol/terminal-signals.ts";
import type { SessionState } from "./session-state.ts";
import { Throttle } from "./throttle.ts";

const PROGRESS_EVERY_MS = 250;
const NOTIFICATION_EVERY_MS = 1000;
/** The states of OSC 9;4 from 1 on; 0 takes the progress away. */
const PROGRESS_STATES = ["normal", "error", "indeterminate", "paused"] as const;

interface Notice {
  readonly title: string | null;
  readonly body: string;
  /** How many were left out before it. */
  readonly leftOut?: number | undefined;
}

/** What a program has told by each of its means: it may use both, and a report without a progress takes away only its own. */
interface ToldProgress {
  /** OSC 7501. */
  readonly report?: Shell["progress"] | undefined;
  /** OSC 9;4. */
  readonly bar?: Shell["progress"] | undefined;
}

/** Passes on what programs report about themselves: progress and notifications. They are for display only. */
export class ShellSignals {
  readonly #state: SessionState;
  readonly #find: (id: number) => Shell | undefined;
  readonly #told = new Map<number, ToldProgress>();
  readonly #progress = new Throttle<Shell["progress"]>(PROGRESS_EVERY_MS, (id, value) => this.#setProgress(id, value));
  readonly #notifications = new Throttle<Notice>(
    NOTIFICATION_EVERY_MS,
    (id, notice) => this.#notify(id, notice),
    (notice, { leftOut = 0 }) => ({ ...notice, leftOut: leftOut + 1 + (notice.leftOut ?? 0) }),
  );

  constructor(state: SessionState, find: (id: number) => Shell | undefined) {
    this.#state = state;
    this.#find = find;
  }

  push(id: number, signal: TerminalSignal): void {
    if (signal.kind === "notification") {
      const { title, body, leftOut } = signal;
      this.#notifications.push(id, { title, body, ...(leftOut !== undefined && { leftOut }) });
    }
    // A short command is over before the system is asked what runs.
    if (signal.kind === "command-end") this.end(id);
    const told = this.#told.get(id) ?? NOTHING_TOLD;
    const now = withProgress(told, signal);
    if (now === told) return;
    this.#told.set(id, now);
    this.#progress.push(id, now.report ?? now.bar);
  }

  /** The program is gone, whether it took its progress away or not. */
  end(id: number): void {
    this.#told.delete(id);
    this.#progress.drop(id);
    this.#setProgress(id, undefined);
  }

  dispose(): void {
    this.#progress.dispose();
    this.#notifications.dispose();
  }

  #notify(id: number, notice: Notice): void {
    const shell = this.#find(id);
    if (shell?.running) this.#state.emit({ type: "shell.notification", data: { shellId: shell.id, ...notice } });
  }

  #setProgress(id: number, progress: Shell["progress"]): void {
    const shell = this.#find(id);
    if (shell === undefined || (progress !== undefined && !shell.running)) return;
    const { progress: before, ...rest } = shell;
    if (before === undefined && progress === undefined) return;
    this.#state.apply({ kind: "shell", shell: progress === undefined ? rest : { ...rest, progress } });
  }
}

const NOTHING_TOLD: ToldProgress = {};

function withProgress(told: ToldProgress, signal: TerminalSignal): ToldProgress {
  if (signal.kind === "progress") {
    const state = PROGRESS_STATES[signal.state - 1];
    return { ...told, bar: state === undefined ? undefined : { state, percent: signal.percent } };
  }
  // A part of the work has a progress of its own.
  if (signal.kind !== "program-status" || signal.query || signal.fields.id !== undefined) return told;
  const progress = programProgress(signal.fields);
  if (progress === undefined && told.report === undefined) return told;
  const report = progress && ({ state: progress.paused ? "paused" : "normal", percent: progress.percent } as const);
  return { ...told, report };
}
