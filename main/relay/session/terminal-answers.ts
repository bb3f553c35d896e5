import { unreachable } from "../../../core/protocol/errors.ts";
import type { ClientId, ShellId } from "../../../core/protocol/ids.ts";
import type { ShellEvent, ShellHost } from "../../../core/protocol/shell-host.ts";
import type { TerminalQuery } from "../../../core/protocol/terminal-signals.ts";

interface TerminalAnswersOptions {
  readonly host: ShellHost;
  /** The client that shows the shell in a terminal that answers by itself; of several the one that is to do it. */
  readonly answererOf: (shell: ShellId) => ClientId | undefined;
}

interface Range {
  readonly offset: number;
  readonly end: number;
}

/** Answered queries that are remembered for each shell. */
const MOST_ANSWERED = 256;
/** Queries of a shell that wait for their answers. A program that has more of them waits for none. */
const MOST_WAITING = 64;
/**
 * The cursor is found by drawing what was printed. After that the shell waits for this many times as long, so that others
 * have their share of the shell host.
 */
const REST_FACTOR = 4;
/** An ordinary screen is drawn in less, and waits for nothing. */
const LONG_MS = 20;

/** The answers of xterm.js, with the colours of a dark theme. */
const ATTRIBUTES = "\x1b[?1;2c";
const SECONDARY_ATTRIBUTES = "\x1b[>0;276;0c";
const VERSION = "\x1bP>|Patchbay\x1b\\";
const FOREGROUND = "\x1b]10;rgb:e6e6/e6e6/e6e6\x1b\\";
const BACKGROUND = "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\";

/**
 * Answers the queries of programs to their terminal while no view is there to do so: some programs end without an answer.
 * A view that comes later gets the output without the answered queries, so that none is answered twice.
 */
export class TerminalAnswers {
  readonly #options: TerminalAnswersOptions;
  readonly #answered = new Map<number, Range[]>();
  /** Answers are written in the order of the queries. */
  readonly #turns = new Map<number, { last: Promise<unknown>; waiting: number }>();

  constructor(options: TerminalAnswersOptions) {
    this.#options = options;
  }

  /** Takes an event of the shells. */
  heard(event: ShellEvent): void {
    if (event.kind === "exited" || event.kind === "lost") this.#forget(event.id);
    if (event.kind !== "signal" || event.signal.kind !== "query") return;
    const { id, signal } = event;
    if (this.#options.answererOf(id as ShellId) !== undefined) return;
    const turn = this.#turns.get(id) ?? { last: Promise.resolve(), waiting: 0 };
    if (turn.waiting >= MOST_WAITING) return;
    const ranges = [...(this.#answered.get(id) ?? []), { offset: signal.offset, end: signal.end }];
    this.#answered.set(id, ranges.slice(-MOST_ANSWERED));
    const { query } = signal;
    turn.waiting += 1;
    turn.last = turn.last
      .then(() => this.#reply(id, query))
      // A shell that has ended meanwhile asks no more.
      .catch(() => undefined)
      .finally(() => {
        turn.waiting -= 1;
      });
    this.#turns.set(id, turn);
  }

  /** Returns whether it is this client whose terminal answers the queries of the shell's programs. */
  answers(client: ClientId, shell: ShellId): boolean {
    return this.#options.answererOf(shell) === client;
  }

  /** Returns output without the queries in it that were answered here: NUL in their place, which draws nothing. */
  withoutAnswered(shell: number, offset: number, bytes: Uint8Array): Uint8Array {
    const end = offset + bytes.length;
    const inside = (this.#answered.get(shell) ?? []).filter((range) => range.offset < end && range.end > offset);
    if (inside.length === 0) return bytes;
    const copy = Uint8Array.from(bytes);
    for (const range of inside) copy.fill(0, Math.max(0, range.offset - offset), range.end - offset);
    return copy;
  }

  async #reply(id: number, query: TerminalQuery): Promise<void> {
    const before = performance.now();
    const answer = await this.#answer(id, query);
    const tookMs = performance.now() - before;
    await this.#options.host.write(id, answer);
    if (tookMs > LONG_MS) await new Promise((resolve) => setTimeout(resolve, tookMs * REST_FACTOR).unref());
  }

  #forget(id: number): void {
    this.#turns.delete(id);
  }

  async #answer(id: number, query: TerminalQuery): Promise<string> {
    switch (query) {
      case "status":
        return "\x1b[0n";
      case "cursor":
        return `\x1b[${await this.#cursor(id)}R`;
      case "private-cursor":
        return `\x1b[?${await this.#cursor(id)}R`;
      case "device":
        return ATTRIBUTES;
      case "secondary-device":
        return SECONDARY_ATTRIBUTES;
      case "version":
        return VERSION;
      case "foreground":
        return FOREGROUND;
      case "background":
        return BACKGROUND;
      default:
        return unreachable(query);
    }
  }

  async #cursor(shell: number): Promise<string> {
    const { cursor } = await this.#options.host.screen({ shell, join: false });
    return `${cursor.y + 1};${cursor.x + 1}`;
  }
}

/**
 * Returns the client that answers the programs of a shell: of those that show it the shell's owner, else the first one. It is
 * asked for each piece of output of each view, so it builds nothing, and asks for the owner only where there is a choice.
 */
export function chooseAnswerer(
  connected: ReadonlyMap<ClientId, { answersFor(shell: ShellId): boolean }>,
  shell: ShellId,
  ownerOf: () => ClientId | null | undefined,
): ClientId | undefined {
  let first: ClientId | undefined;
  let owner: ClientId | null | undefined;
  for (const [id, connection] of connected) {
    if (!connection.answersFor(shell)) continue;
    if (first === undefined) first = id;
    else owner ??= ownerOf();
    if (id === owner) return id;
  }
  return first;
}
