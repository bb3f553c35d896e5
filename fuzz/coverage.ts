import { type Profiler, Session } from "node:inspector";

/** Tells which blocks of the code under test have been run, with V8's own precise coverage. */
export class Coverage {
  readonly #session = new Session();
  readonly #script: string;
  /** Blocks that any run so far has reached. */
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

  /** Takes note of what ran since the last look; answers the blocks, or numbers of rounds in one, that are new. */
  newBlocks(): Set<string> {
    const found = new Set([...this.lastBlocks()].filter((block) => !this.#known.has(block)));
    for (const block of found) this.#known.add(block);
    return found;
  }

  /** What ran since the last look. */
  lastBlocks(): Set<string> {
    const blocks = new Set<string>();
    for (const { url, functions } of this.#take()) {
      if (!url.includes(this.#script)) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          // As AFL does it: twice as many rounds are something new.
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
