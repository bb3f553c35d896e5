import { readFileSync } from "node:fs";
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

interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  /** Processor time that it has used, in milliseconds. */
  processorMs: () => number;
}

/** What the thread sends: its id when it is ready, and after that what each search has found. */
type ThreadMessage = { readonly ready: string } | { readonly match: TextMatch | null } | { readonly failed: true };

/** Longest processor time of one search. Time in which other programs have the processor does not count. */
const PROCESSOR_LIMIT_MS = 100;
/** Longest time of one search by the clock, on a machine that hardly lets the thread run. */
const CLOCK_LIMIT_MS = 10_000;
/** Shortest time between two readings of the thread's processor time, which systems count in ticks. */
const TICK_MS = 5;
const NS_PER_MS = 1e6;
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
let thread = "";
try {
  thread = require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1);
  require("node:os").setPriority(Number(thread), ${NICENESS});
} catch {}
parentPort.on("message", ({ source, flags, text }) => {
  try {
    const found = new RegExp(source, flags).exec(text);
    parentPort.postMessage({ match: found === null ? null : { index: found.index, text: String(found[0]) } });
  } catch {
    parentPort.postMessage({ failed: true });
  }
});
parentPort.postMessage({ ready: thread });
`;

/**
 * Runs regular expressions of callers in a thread of its own, so that none can hold up the shells. Each search has a limit
 * of processor time; a thread that exceeds it is ended. The callers take turns, and each uses at most half of the thread's
 * time.
 */
export class RegexWorker {
  readonly #callers = new Map<string, Caller>();
  #thread: Thread | undefined;
  #running: { readonly job: Job; readonly caller: Caller; readonly startedAt: number } | undefined;
  /** Ends a search that takes too long. */
  #watch: NodeJS.Timeout | undefined;
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
    this.#timer = setTimeout(() => (idle ? this.#endThread() : this.#next()), idle ? IDLE_MS : soonest - now);
    if (idle) this.#timer.unref();
  }

  #start(name: string, caller: Caller, job: Job): void {
    caller.jobs.shift();
    this.#callers.delete(name);
    this.#callers.set(name, caller);
    this.#running = { job, caller, startedAt: performance.now() };
    if (this.#thread === undefined) this.#startThread();
    else if (this.#thread.isReady) this.#search(this.#thread, job);
  }

  #startThread(): void {
    const worker = new Worker(PROGRAM, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    worker.unref();
    const thread: Thread = { worker, isReady: false, processorMs: processMs };
    worker.on("message", (message: ThreadMessage) => {
      if (this.#thread !== thread) return;
      if (!("ready" in message)) this.#settle("match" in message ? message.match : undefined);
      else {
        thread.isReady = true;
        thread.processorMs = processorClock(message.ready);
        if (this.#running !== undefined) this.#search(thread, this.#running.job);
      }
    });
    // A search that used up the thread's memory.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#settle(undefined);
    });
    this.#thread = thread;
  }

  #search({ worker, processorMs }: Thread, job: Job): void {
    const begin = { processorMs: processorMs(), at: performance.now() };
    const check = () => {
      const left = PROCESSOR_LIMIT_MS - (processorMs() - begin.processorMs);
      if (left > 0 && performance.now() - begin.at < CLOCK_LIMIT_MS) {
        // Not before the thread can have used up the rest.
        this.#watch = setTimeout(check, Math.max(TICK_MS, left));
        return;
      }
      // What the thread has found meanwhile is received first.
      setImmediate(() => this.#giveUp(job));
    };
    this.#watch = setTimeout(check, PROCESSOR_LIMIT_MS);
    worker.postMessage({ source: job.source, flags: job.flags, text: job.text });
  }

  #giveUp(job: Job): void {
    if (this.#running?.job !== job) return;
    this.#endThread();
    this.#settle(undefined);
  }

  /** Answers the search under way: with what was found, or, for undefined, that the pattern takes too long. */
  #settle(match: TextMatch | null | undefined): void {
    clearTimeout(this.#watch);
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    const { job, caller, startedAt } = running;
    const now = performance.now();
    caller.freeAt = now + (now - startedAt) * PAUSE_FACTOR;
    if (match === undefined) job.reject(tooSlow(job.source));
    else job.resolve(match);
    this.#next();
  }

  #endThread(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.worker.terminate();
  }
}

/**
 * Returns what reads the processor time of a thread, in milliseconds: on Linux its own, elsewhere that of the process,
 * which is never less.
 */
function processorClock(thread: string): () => number {
  const path = `/proc/self/task/${thread}/schedstat`;
  const own = () => Number(readFileSync(path, "utf8").split(" ", 1)[0]) / NS_PER_MS;
  try {
    if (thread !== "" && own() >= 0) return own;
  } catch {
    // Not Linux, or a kernel without scheduler statistics.
  }
  return processMs;
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function tooSlow(source: string): RemoteError {
  return new RemoteError(
    "invalid_params",
    `params.text: the pattern ${source.slice(0, 80)} takes too long; make it simpler.`,
  );
}
