/**
 * Decides how soon the shells are polled again. An agent may run for only a third of a second, so a shell that has just
 * begun a command, or whose processes change, is polled often; shells at their prompt cost one poll a second.
 */
export class ShellPace {
  readonly #closeUntil = new Map<string, number>();
  readonly #programs = new Map<string, string>();

  /** A shell has begun a command. */
  commandStarted(shell: string, now: number): void {
    this.#closeUntil.set(shell, now + CLOSELY_FOR_MS);
  }

  /** A poll has found these processes (by their identity) in a shell. */
  saw(shell: string, processes: string, now: number): void {
    if (this.#programs.get(shell) === processes) return;
    this.#programs.set(shell, processes);
    if (processes !== "") this.#closeUntil.set(shell, now + CLOSELY_FOR_MS);
  }

  /** Forgets the shells that are gone. */
  keepOnly(shells: ReadonlySet<string>): void {
    for (const known of [this.#closeUntil, this.#programs])
      for (const name of known.keys()) if (!shells.has(name)) known.delete(name);
  }

  /** Milliseconds until the next check for new processes; undefined while all shells are at their prompt. */
  next(now: number): number | undefined {
    for (const until of this.#closeUntil.values()) if (until > now) return CLOSE_MS;
    for (const programs of this.#programs.values()) if (programs !== "") return LOOSE_MS;
    return undefined;
  }
}

const CLOSELY_FOR_MS = 10_000;
const CLOSE_MS = 40;
const LOOSE_MS = 200;
