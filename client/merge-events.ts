import { setTimeout as delay } from "node:timers/promises";
import { askMachine, clientOf, type Machine, type MachineAnswer } from "./ask-machines.ts";
import { isExplained } from "./errors.ts";
import type { SessionEvent } from "./event-stream.ts";
import { listSessions, type OpenSession } from "./session-rows.ts";

/** An event with the machine and the session that it comes from. */
export interface MachineEvent extends SessionEvent {
  readonly machine: string;
  /** Name of the session. */
  readonly session: string;
}

interface MergeOptions {
  readonly types: readonly string[] | undefined;
  readonly onEvent: (event: MachineEvent) => void;
  /** Called when a machine stops answering, and when it answers again. */
  readonly onChange: (answer: MachineAnswer<unknown>) => void;
  readonly signal: AbortSignal;
}

/** How often a machine that answers is asked for its sessions: new ones are followed too. */
const LOOK_AGAIN_MS = 5000;
const MAX_READ_MS = 30_000;
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
/**
 * Reads the kept events of all sessions of a machine. Only the question for its sessions has to be answered in the time
 * after which it counts as away: the events may be many.
 */
export async function readKeptEvents(
  machine: Machine,
  { types, onEvent }: Pick<MergeOptions, "types" | "onEvent">,
): Promise<MachineAnswer<unknown>> {
  const { value: sessions, ...report } = await askMachine(machine, listSessions);
  if (sessions === undefined) return report;
  const signal = AbortSignal.timeout(MAX_READ_MS);
  const read = async ({ id, name }: OpenSession) => {
    const client = await clientOf(machine, { session: id, signal });
    for await (const event of client.events({ follow: false, ...(types === undefined ? {} : { types }) })) {
      onEvent({ ...event, machine: machine.name, session: name });
    }
  };
  try {
    await Promise.all(sessions.map(read));
    return { ...report, value: sessions };
  } catch (error) {
    if (!isExplained(error) && !signal.aborted) throw error;
    const reason = signal.aborted ? `it took longer than ${MAX_READ_MS / 1000} s` : (error as Error).message;
    return { ...report, problem: `Its events are incomplete: ${reason}` };
  }
}

/**
 * Follows the events of all sessions of a machine until the signal. After a lost connection it tries again, at growing
 * intervals with jitter, and resumes after the last event that it saw: the relay reports with a `gap` what is no longer
 * kept.
 */
export async function followEvents(machine: Machine, options: MergeOptions): Promise<void> {
  const { signal, onChange } = options;
  const streams = new Map<string, Stream>();
  let before: MachineAnswer<unknown> | undefined;
  let pause = MIN_PAUSE_MS;
  while (!signal.aborted) {
    const answer = await askMachine(machine, listSessions);
    const { value: sessions } = answer;
    const changed = before === undefined ? sessions === undefined : stateOf(before) !== stateOf(answer);
    if (changed && !signal.aborted) onChange(answer);
    before = answer;
    for (const session of sessions ?? []) {
      const stream = streams.get(session.id) ?? new Stream(machine, session, options);
      streams.set(session.id, stream);
      stream.start();
    }
    if (sessions !== undefined) forgetClosed(streams, sessions);
    pause = sessions === undefined ? Math.min(pause * 2, MAX_PAUSE_MS) : MIN_PAUSE_MS;
    const broken = Promise.race([...streams.values()].map((stream) => stream.ended));
    const wait = sessions === undefined ? pause * (0.5 + Math.random() / 2) : LOOK_AGAIN_MS;
    await Promise.race([
      delay(wait, undefined, { signal }).catch(() => undefined),
      ...(sessions === undefined ? [] : [pausedAfter(broken, signal)]),
    ]);
  }
}

function stateOf({ state, value, key }: MachineAnswer<unknown>): string {
  return `${state} ${value !== undefined} ${key}`;
}

/** A stream that ended may have done so with its relay: a moment later that is known. */
async function pausedAfter(ended: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await ended;
  await delay(MIN_PAUSE_MS * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}

function forgetClosed(streams: Map<string, Stream>, open: readonly OpenSession[]): void {
  const ids = new Set(open.map(({ id }) => id));
  for (const [id, stream] of streams) {
    if (ids.has(id)) continue;
    stream.stop();
    streams.delete(id);
  }
}

/** The events of one session, which remembers where to resume. */
class Stream {
  readonly #machine: Machine;
  readonly #session: OpenSession;
  readonly #options: MergeOptions;
  readonly #stopped = new AbortController();
  #lastEventId: string | undefined;
  #run: Promise<void> | undefined;

  constructor(machine: Machine, session: OpenSession, options: MergeOptions) {
    this.#machine = machine;
    this.#session = session;
    this.#options = options;
  }

  /** Resolves when the stream that runs has ended; never without one. */
  get ended(): Promise<void> {
    return this.#run ?? new Promise(() => undefined);
  }

  /** Starts to read, unless that is under way. */
  start(): void {
    this.#run ??= this.#read().finally(() => {
      this.#run = undefined;
    });
  }

  /** Ends it for good: its session is closed. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Rejects for defects of this program only: why a stream ended is seen when the machine is asked again. */
  async #read(): Promise<void> {
    const { types, onEvent } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#stopped.signal]);
    try {
      const machine = this.#machine.name;
      const client = await clientOf(this.#machine, { session: this.#session.id, signal });
      const events = client.events({
        signal,
        onPosition: (id) => {
          this.#lastEventId ??= id;
        },
        ...(types === undefined ? {} : { types }),
        ...(this.#lastEventId === undefined ? {} : { lastEventId: this.#lastEventId }),
      });
      for await (const event of events) {
        if (event.id !== "") this.#lastEventId = event.id;
        onEvent({ ...event, machine, session: this.#session.name });
      }
    } catch (error) {
      if (!signal.aborted && !isExplained(error)) throw error;
    }
  }
}
