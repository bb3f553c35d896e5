import { noCounts } from "../setup/test-counts.mjs";

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {"ok" | "FAILED" | "not run"} state
 * @property {number} seconds
 * @property {string} note one line
 */

/** Thrown by a failed step; the message is for the user. */
export class StepError extends Error {}

/** The steps of the test in order, with their results. */
export class Report {
  /** @type {Row[]} */
  rows = [];
  /** @type {(line: string) => void} */
  #log;

  /** @param {(line: string) => void} log */
  constructor(log) {
    this.#log = log;
  }

  /**
   * Runs the steps of a part; the first that fails ends the part. A step returns a note for the summary.
   * @param {string} part
   * @param {readonly (readonly [name: string, step: () => Promise<string | void>])[]} steps
   * @param {AbortSignal} signal
   */
  async part(part, steps, signal) {
    let failed = false;
    for (const [name, step] of steps) {
      const full = `${part}: ${name}`;
      if (failed) {
        this.rows.push({ name: full, state: "not run", seconds: 0, note: "" });
        continue;
      }
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      try {
        this.#log(`${full} ...`);
        const note = (await step()) ?? "";
        this.rows.push({ name: full, state: "ok", seconds: seconds(), note });
      } catch (error) {
        signal.throwIfAborted();
        failed = true;
        const reason = error instanceof Error ? error.message : String(error);
        this.#log(`FAILED: ${full}\n${reason}`);
        this.rows.push({ name: full, state: "FAILED", seconds: seconds(), note: reason.split("\n")[0] ?? "" });
      }
    }
  }

  /** The steps as lines, then how many passed and failed. */
  summary() {
    const width = Math.max(...this.rows.map(({ name }) => name.length));
    const lines = this.rows.map(({ name, state, seconds, note }) =>
      `${state.padEnd(7)}  ${name.padEnd(width)}  ${seconds.toFixed(0).padStart(5)} s  ${note}`.trimEnd(),
    );
    return `${lines.join("\n")}\n`;
  }

  counts() {
    const count = (/** @type {Row["state"]} */ wanted) => this.rows.filter(({ state }) => state === wanted).length;
    return { ...noCounts, passed: count("ok"), failed: count("FAILED"), skipped: count("not run") };
  }
}
