import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of the signs in a data folder. */
const FOLDER = "agent-hooks";
/** An agent's hooks fire many times a minute; the time of the last one is kept to the second. */
const KEEP_EVERY_MS = 1000;

/** What happens to the hooks of a kind of agent: the user connects them, and they report to the relay. */
type HookSign = "connected" | "fired";

/**
 * When the hooks of each kind of agent were connected and have last reported: the times of empty files in the data folder,
 * which the command line reads and writes without a relay.
 */
export class HookSigns {
  readonly #folder: string;
  readonly #kept = new Map<string, number>();

  constructor(data: string) {
    this.#folder = join(data, FOLDER);
  }

  /** Keeps the present time. A folder that cannot be written keeps none: the hook itself was received. */
  note(kind: string, sign: HookSign): void {
    const file = this.#file(kind, sign);
    if (Date.now() - (this.#kept.get(file) ?? 0) < KEEP_EVERY_MS) return;
    this.#kept.set(file, Date.now());
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, "", { mode: 0o600 });
    } catch {
      this.#kept.delete(file);
    }
  }

  /** Returns when it was last noted; undefined for never. */
  at(kind: string, sign: HookSign): Date | undefined {
    try {
      return statSync(this.#file(kind, sign), { throwIfNoEntry: false })?.mtime;
    } catch {
      return undefined;
    }
  }

  /**
   * Returns whether a hook reports what an agent asks that has waited since `waits`. Only for Claude Code, which takes new
   * hooks at once: other kinds may have started before the user connected them.
   */
  isExpected(kind: string, waits: Date): boolean {
    const since = kind === "claude" ? this.at(kind, "connected") : undefined;
    return since !== undefined && since < waits;
  }

  forget(kind: string, sign: HookSign): void {
    rmSync(this.#file(kind, sign), { force: true });
  }

  #file(kind: string, sign: HookSign): string {
    return join(this.#folder, `${kind}.${sign}`);
  }
}
