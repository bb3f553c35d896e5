import { unreachable } from "../../../core/protocol/errors.ts";
import { TokenBucket } from "../../../core/protocol/rate-limits.ts";
import type { ShellEvent } from "../../../core/protocol/shell-host.ts";
import type { TerminalSignal } from "../../../core/protocol/terminal-signals.ts";

/** Events of a shell that are sent as they come. Programs that people read print far fewer. */
const ALLOWANCE = { capacity: 100, perSecond: 100 };
/** The same for all shells together. */
const WHOLE_ALLOWANCE = { capacity: 500, perSecond: 1000 };
const LOOK_EVERY_MS = 50;
/** Waiting events of all shells that are sent at a time. */
const MOST_AT_A_TIME = 50;
/** Waiting queries of a shell: a program that prints more of them does not read the answers. */
const MOST_QUERIES = 64;
/** Waiting reports of a shell's agents, each of another state or part of the work. */
const MOST_REPORTS = 64;
const MOST_KEY_CHARACTERS = 200;

interface WaitingEvents {
  readonly session: string;
  readonly allowance: TokenBucket;
  /** Of each kind of which the last one counts, and of each agent's state. The oldest is first. */
  readonly events: Map<string, ShellEvent>;
  queries: number;
  reports: number;
}

interface EventFoldOptions {
  readonly send: (session: string, event: ShellEvent) => void;
  /** Whether the relay reads what it is sent. While it does not, events wait. */
  readonly hasRoom: () => boolean;
}

/**
 * Passes the events of shells to the relay, of each shell a bounded number, however loud it is. Beyond its allowance they
 * wait and fold: of bells, titles, folders and progress the last one counts, of notifications too, with the number of
 * those left out, and of an agent's reports the last one of each state. Marks of commands and ends of shells are sent at
 * once, after everything of the shell that came before them.
 */
export class EventFold implements Disposable {
  readonly #options: EventFoldOptions;
  readonly #shells = new Map<string, WaitingEvents>();
  readonly #allowance = new TokenBucket(WHOLE_ALLOWANCE, () => performance.now());
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventFoldOptions) {
    this.#options = options;
  }

  push(session: string, event: ShellEvent): void {
    const shell = this.#shellOf(session, event.id);
    const key = foldingKey(event);
    if (key === undefined) {
      this.#sendWaiting(shell, () => true);
      this.#options.send(session, event);
      if (event.kind === "exited" || event.kind === "lost") this.#shells.delete(`${session} ${event.id}`);
    } else if (shell.events.size === 0 && this.#options.hasRoom() && shell.allowance.take() && this.#allowance.take()) {
      this.#options.send(session, event);
    } else {
      keep(shell, key, event);
      this.#timer ??= setTimeout(() => this.#look(), LOOK_EVERY_MS);
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#shells.clear();
  }

  #shellOf(session: string, id: number): WaitingEvents {
    const key = `${session} ${id}`;
    const known = this.#shells.get(key);
    if (known !== undefined) return known;
    const allowance = new TokenBucket(ALLOWANCE, () => performance.now());
    const shell = { session, allowance, events: new Map(), queries: 0, reports: 0 };
    this.#shells.set(key, shell);
    return shell;
  }

  /** Sends what the allowances let through, in turns: the shells that were served come last the next time. */
  #look(): void {
    let left = MOST_AT_A_TIME;
    for (const [key, shell] of [...this.#shells]) {
      if (shell.events.size === 0) continue;
      this.#sendWaiting(shell, () => left > 0 && this.#options.hasRoom() && shell.allowance.take() && left-- > 0);
      if (left === 0) break;
      this.#shells.delete(key);
      this.#shells.set(key, shell);
    }
    const waits = [...this.#shells.values()].some(({ events }) => events.size > 0);
    this.#timer = waits ? setTimeout(() => this.#look(), LOOK_EVERY_MS) : undefined;
  }

  #sendWaiting(shell: WaitingEvents, mayGo: () => boolean): void {
    for (const [key, event] of shell.events) {
      if (!mayGo()) return;
      drop(shell, key, event);
      this.#options.send(shell.session, event);
    }
  }
}

/** Takes an event in the place of the one that it folds with. */
function keep(shell: WaitingEvents, key: string, event: ShellEvent): void {
  const { events } = shell;
  const before = events.get(key);
  if (before !== undefined) drop(shell, key, before);
  if (isOf(event, "query")) {
    if (shell.queries >= MOST_QUERIES) return;
    shell.queries += 1;
  } else if (isOf(event, "program-status")) {
    const oldest =
      shell.reports < MOST_REPORTS ? undefined : [...events].find(([, one]) => isOf(one, "program-status"));
    if (oldest !== undefined) drop(shell, ...oldest);
    shell.reports += 1;
  }
  events.set(key, before === undefined ? event : withLeftOut(event, before));
}

function drop(shell: WaitingEvents, key: string, event: ShellEvent): void {
  shell.events.delete(key);
  if (isOf(event, "query")) shell.queries -= 1;
  else if (isOf(event, "program-status")) shell.reports -= 1;
}

function isOf(event: ShellEvent, kind: TerminalSignal["kind"]): boolean {
  return event.kind === "signal" && event.signal.kind === kind;
}

/** What an event folds with; undefined for one that is sent in any case, in its order. */
function foldingKey(event: ShellEvent): string | undefined {
  if (event.kind === "exited" || event.kind === "lost") return undefined;
  if (event.kind !== "signal") return event.kind;
  const { signal } = event;
  switch (signal.kind) {
    case "title":
    case "bell":
    case "progress":
    case "cwd":
    case "notification":
      return `signal ${signal.kind}`;
    case "query":
      // Each gets an answer.
      return `query ${signal.offset}`;
    case "program-status": {
      const { app, id, state, kind } = signal.fields;
      return JSON.stringify([signal.query, app, id, state, kind]).slice(0, MOST_KEY_CHARACTERS);
    }
    case "prompt":
    case "prompt-end":
    case "command-start":
    case "command-end":
      return undefined;
    default:
      return unreachable(signal);
  }
}

/** Counts the notifications in whose place this one comes. */
function withLeftOut(event: ShellEvent, before: ShellEvent): ShellEvent {
  if (event.kind !== "signal" || event.signal.kind !== "notification") return event;
  const earlier = before.kind === "signal" && before.signal.kind === "notification" ? (before.signal.leftOut ?? 0) : 0;
  return { ...event, signal: { ...event.signal, leftOut: earlier + 1 + (event.signal.leftOut ?? 0) } };
}
