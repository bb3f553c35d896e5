import { type Profiler, Session } from "node:inspector";

/** Records which blocks of the code under test have run, with V8's precise coverage. */
export class Coverage {
  readonly #session = new Session();
  readonly #script: string;
  /** Blocks that any run has reached so far. */
  readonly #known = new Set<string>();

  /** `script`: part of the address of the script under test. */
  constructor(script: string) {
    this.#script = script;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  get blocks(): number {
    return this.#known.size;
  }

  /** Records what ran since the last call. Returns the new blocks and execution counts. */
  newBlocks(): Set<string> {
    const found = new Set([...this.lastBlocks()].filter((block) => !this.#known.has(block)));
    for (const block of found) this.#known.add(block);
    return found;
  }

  /** Returns the blocks that ran since the last call. */
  lastBlocks(): Set<string> {
    const blocks = new Set<string>();
    for (const { url, functions } of this.#take()) {
      if (!url.includes(this.#script)) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          // As in AFL, twice as many executions count as new.
          if (count > 0) blocks.add(`${startOffset}:${endOffset}:${Math.min(8, Math.floor(Math.log2(count)))}`);
        }
      }
    }
    return blocks;
  }

  stop(): void {
    this.#session.disconnect();
  }

  #take(): Profiler.ScriptCoverage[] {
    let taken: Profiler.ScriptCoverage[] = [];
    // The inspector answers in the same turn.
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error;
      taken = answer.result;
    });
    return taken;
  }
}
