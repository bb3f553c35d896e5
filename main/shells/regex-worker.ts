import { Worker } from "node:worker_threads";
import { RemoteError } from "../../core/protocol/errors.ts";

export interface TextMatch {
  readonly index: number;
  readonly text: string;
}

/** A search that waits for its turn. */
interface Job {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
  resolve(match: TextMatch | null): void;
  reject(error: RemoteError): void;
}

interface Caller {
  readonly jobs: Job[];
  /** When its next search may begin, by `performance.now()`. */
  freeAt: number;
}

type Outcome = { readonly match: TextMatch | null } | { readonly late: true };

/** Longest time of one search. */
const TIME_LIMIT_MS = 100;
/** After a search its caller waits for this many times as long as it took, so that others have their share. */
const PAUSE_FACTOR = 1;
/** Priority of the thread (`nice`), where the system has one for each thread. */
const NICENESS = 10;
const IDLE_MS = 10_000;

/**
 * The program of the thread. As text, because it is the same from the source, in the bundles and in the packaged app, and
 * needs nothing but Node.
 */
const PROGRAM = `
const { parentPort } = require("node:worker_threads");
const { createContext, Script } = require("node:vm");
try {
  const thread = require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1);
  require("node:os").setPriority(Number(thread), ${NICENESS});
} catch {}
const script = new Script("pattern.exec(text)");
const context = createContext(Object.create(null));
parentPort.on("message", ({ source, flags, text }) => {
  try {
    Object.assign(context, { pattern: new RegExp(source, flags), text });
    const found = script.runInContext(context, { timeout: ${TIME_LIMIT_MS} });
    parentPort.postMessage({ match: found === null ? null : { index: found.index, text: String(found[0]) } });
  } catch {
    parentPort.postMessage({ late: true });
  }
  Object.assign(context, { text: "" });
});
`;

/**
 * Runs regular expressions of callers in a thread of its own, so that none can hold up the shells. Each search has a time
 * limit. The callers take turns, and each uses at most half of the thread's time.
 */
export class RegexWorker {
  readonly #callers = new Map<string, Caller>();
  #worker: Worker | undefined;
  #running: { readonly job: Job; readonly caller: Caller; readonly startedAt: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Returns the first match.
   *
   * @param caller who searches; each has its share of the time
   * @throws RemoteError `invalid_params` for a pattern that takes too long
   */
  find(caller: string, { source, flags }: { source: string; flags: string }, text: string): Promise<TextMatch | null> {
    return new Promise((resolve, reject) => {
      const known = this.#callers.get(caller) ?? { jobs: [], freeAt: 0 };
      // At the end of the order, so that callers take turns.
      this.#callers.set(caller, known);
      known.jobs.push({ source, flags, text, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const now = performance.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const [name, caller] of this.#callers) {
      const [job] = caller.jobs;
      if (job === undefined && caller.freeAt <= now) this.#callers.delete(name);
      if (job === undefined) continue;
      if (caller.freeAt <= now) {
        this.#start(name, caller, job);
        return;
      }
      soonest = Math.min(soonest, caller.freeAt);
    }
    const idle = soonest === Number.POSITIVE_INFINITY;
    this.#timer = setTimeout(() => (idle ? this.#end() : this.#next()), idle ? IDLE_MS : soonest - now);
    if (idle) this.#timer.unref();
  }

  #start(name: string, caller: Caller, job: Job): void {
    caller.jobs.shift();
    this.#callers.delete(name);
    this.#callers.set(name, caller);
    this.#running = { job, caller, startedAt: performance.now() };
    this.#thread().postMessage({ source: job.source, flags: job.flags, text: job.text });
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(PROGRAM, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    worker.unref();
    worker.on("message", (outcome: Outcome) => this.#settle(outcome));
    // A search that used up the thread's memory.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#settle({ late: true });
    });
    this.#worker = worker;
    return worker;
  }

  #settle(outcome: Outcome): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    const { job, caller, startedAt } = running;
    const now = performance.now();
    caller.freeAt = now + (now - startedAt) * PAUSE_FACTOR;
    if ("match" in outcome) job.resolve(outcome.match);
    else job.reject(tooSlow(job.source));
    this.#next();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}

function tooSlow(source: string): RemoteError {
  return new RemoteError(
    "invalid_params",
    `params.text: the pattern ${source.slice(0, 80)} takes too long; make it simpler.`,
  );
}
