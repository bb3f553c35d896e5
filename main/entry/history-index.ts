import { parentPort, workerData } from "node:worker_threads";
import { serveIndex } from "../shells/history-index/serve-index.ts";

/** The thread of the history's index. */
if (parentPort !== null) serveIndex(parentPort, workerData);
