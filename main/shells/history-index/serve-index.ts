import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { Queue } from "../../system/in-turns.ts";
import { setOwnRules } from "../../system/redact-secrets.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import { exportHistory } from "../history/export-history.ts";
import { HistoryReader } from "../history/history-reader.ts";
import { masterKey } from "../history/segment.ts";
import { listSegments } from "../history/trim.ts";
import type { ConversationReader } from "./conversation-index.ts";
import { isDamage, removeIndex } from "./database.ts";
import { HistoryIndex } from "./history-index.ts";
import { DAMAGED, type IndexAnswer, type IndexCall, type IndexSetUp } from "./index-calls.ts";

/** Priority of the thread (`nice`), where the system has one for each thread: everything else goes first. */
const NICENESS = 15;

/** Opens the conversations of agents. `runs`: the sessions that were seen in shells, as the relay names them. */
type OpenConversations = (runs: unknown) => ConversationReader;

/** Serves an index to the thread that has started this one, until it is ended. */
export function serveIndex(
  port: MessagePort,
  { folder, file, key, player, patterns, maxBytes }: IndexSetUp,
  conversations: OpenConversations,
): void {
  lowerPriority();
  setOwnRules(patterns);
  const master = masterKey(key === null ? undefined : Buffer.from(key, "base64"));
  const reader = new HistoryReader({
    folder: () => folder,
    keys: () => [masterKey(undefined), master],
    flush: async () => undefined,
  });
  const index = new HistoryIndex({ file, key: master, reader, segments: () => listSegments(folder), maxBytes });
  const turns = new Queue();
  const updates = new Updates(index, conversations);
  let isOver = false;
  /** Ends the thread: the next one makes the index anew. */
  const giveUp = (id: number) => {
    isOver = true;
    index[Symbol.dispose]();
    removeIndex(file);
    port.postMessage({ id, failed: DAMAGED, isLast: true } satisfies IndexAnswer);
    port.close();
  };
  port.on("message", (call: IndexCall) => {
    const { id } = call;
    execute({ index, turns, updates, reader, player }, call).then(
      (result) => port.postMessage({ id, result } satisfies IndexAnswer),
      (error: unknown) => {
        if (isOver) return;
        if (isDamage(error)) giveUp(id);
        else port.postMessage({ id, failed: String(error), isLast: false } satisfies IndexAnswer);
      },
    );
  });
}

interface ServedIndex {
  readonly reader: HistoryReader;
  readonly player: string;
  readonly index: HistoryIndex;
  readonly turns: Queue;
  readonly updates: Updates;
}

/** Keeps the index of conversations up to date, one time after another. What is printed is indexed beside it. */
class Updates {
  readonly #index: HistoryIndex;
  readonly #open: OpenConversations;
  readonly #turns = new Queue();
  #next: Promise<boolean> | undefined;

  constructor(index: HistoryIndex, open: OpenConversations) {
    this.#index = index;
    this.#open = open;
  }

  /** Indexes what was said up to now; resolves with whether all of it is. One time does for all who ask before it begins. */
  run(runs: unknown): Promise<boolean> {
    this.#next ??= this.#turns.run(async () => {
      this.#next = undefined;
      await this.#index.conversations.update(this.#open(runs));
      return true;
    });
    return this.#next;
  }
}

/** What changes the index is done in turn; questions are answered meanwhile. */
async function execute({ index, turns, updates, reader, player }: ServedIndex, call: IndexCall): Promise<unknown> {
  switch (call.method) {
    case "add":
      return turns.run(() => index.add(call.owner));
    case "catchUp":
      // Shells that are searched meanwhile come between.
      return index.catchUp(turns);
    case "tidy":
      return index.tidy(turns);
    case "typed":
      return index.typed(call.owner, call.from, call.by);
    case "commands":
      return index.commands(call.session, call.query);
    case "command":
      return index.command(call.session, call);
    case "search":
      return index.search(call.session, call.query);
    case "redactions":
      return index.redactions.list(call.query);
    case "redactionCount":
      return index.redactions.count();
    case "damage":
      return [...reader.damage];
    case "export":
      return exportHistory(reader, call.wish, player);
    case "searchConversations": {
      // The first time there may be years of them: what is indexed so far is found.
      const updated = withDeadline(updates.run(call.runs), call.waitMs, () => new Error("it takes longer"));
      const complete = await updated.catch((error: unknown) => {
        if (isDamage(error)) throw error;
        return false;
      });
      return { hits: index.conversations.search(call.query), complete };
    }
  }
}

/** Only Linux has priorities of threads. */
function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), NICENESS);
  } catch {
    // The thread works at the priority of the others.
  }
}
