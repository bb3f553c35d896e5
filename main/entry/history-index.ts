import { parentPort, workerData } from "node:worker_threads";
import { allAdapters } from "../agents/adapters/all.ts";
import { Conversations, type KnownRuns } from "../agents/conversations.ts";
import { serveIndex } from "../shells/history-index/serve-index.ts";

const adapters = allAdapters();

/** The thread of the history's index. */
if (parentPort !== null) {
  serveIndex(parentPort, workerData, (runs) => {
    const conversations = new Conversations({
      adapters,
      accounts: {
        source: (adapter, home, sessionId) => ({ adapter, home, sessionId, log: { problem: () => undefined } }),
      },
      // What a message has cost is not searched.
      price: async () => () => ({ cost: 0, basis: "unpriced" }),
      // From the relay's own thread.
      runs: () => runs as KnownRuns,
      env: (name) => process.env[name],
    });
    return {
      stored: () => conversations.stored(),
      page: (name, wanted) => conversations.page(name, wanted, () => []),
    };
  });
}
