import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { Queue } from "../../system/in-turns.ts";
import { setOwnRules } from "../../system/redact-secrets.ts";
import { exportHistory } from "../history/export-history.ts";
import { HistoryReader } from "../history/history-reader.ts";
import { masterKey } from "../history/segment.ts";
import { listSegments } from "../history/trim.ts";
import type { ConversationReader } from "./conversation-index.ts";
import { HistoryIndex } from "./history-index.ts";
import type { IndexAnswer, IndexCall, IndexSetUp } from "./index-calls.ts";

/** Priority of the thread (`nice`), where the system has one for each thread: everything else goes first. */
const NICENESS = 15;

/** How long a search waits until new messages are indexed. */
const UPDATE_MS = 300;

/** Opens the conversations of agents. `runs`: the sessions that were seen in shells, as the relay names them. */
type OpenConversations = (runs: unknown) => ConversationReader;

/** Serves an index to the thread that has started this one, until it is ended. */
export function serveIndex(
  port: MessagePort,
  { folder, file, key, player, patterns }: IndexSetUp,
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
  const index = new HistoryIndex({ file, key: master, reader, segments: () => listSegments(folder) });
  const turns = new Queue();
  port.on("message", (call: IndexCall) => {
    execute({ index, turns, conversations, reader, player }, call).then(
      (result) => port.postMessage({ id: call.id, result } satisfies IndexAnswer),
      (error: unknown) => port.postMessage({ id: call.id, failed: String(error) } satisfies IndexAnswer),
    );
  });
}

interface ServedIndex {
  readonly reader: HistoryReader;
  readonly player: string;
  readonly index: HistoryIndex;
  readonly turns: Queue;
  readonly conversations: OpenConversations;
}

/** What changes the index is done in turn; questions are answered meanwhile. */
async function execute(
  { index, turns, conversations, reader, player }: ServedIndex,
  call: IndexCall,
): Promise<unknown> {
  switch (call.method) {
    case "add":
      return turns.run(() => index.add(call.owner));
    case "catchUp":
      return turns.run(() => index.catchUp());
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
    case "export":
      return exportHistory(reader, call.wish, player);
    case "searchConversations": {
      const updated = turns.run(() => index.conversations.update(conversations(call.runs)));
      // The first time there may be years of them: what is indexed so far is found.
      await Promise.race([updated.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, UPDATE_MS))]);
      return index.conversations.search(call.query);
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
