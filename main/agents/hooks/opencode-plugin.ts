/** Name of the module in the data folder, which the plugin that `agents connect opencode` adds loads. */
export const OPENCODE_PLUGIN_NAME = "opencode-plugin.mjs";

/**
 * The program behind opencode's plugin: passes what opencode asks to the relay by the script of the hooks, and gives the
 * answer to opencode's own HTTP API, which the plugin reaches inside the process. The relay writes it into its data folder
 * at each start, so that it fits the relay.
 */
export const opencodePlugin = `// Passes the questions of opencode to the relay whose shell it runs in. Written by Patchbay at each start; do not edit.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), "agent-hook");
// What opencode settles by itself at once (opencode run, opencode --auto) is no question.
const SETTLED_AT_ONCE_MS = 100;
const AGAIN_MS = 500;
const MOST_DIFF = 20000;
// Of a request of the relay, with room for what is around it.
const MOST_EVENT = 900000;
const MOST_OUTPUT = 65536;
const MOST_PARENTS = 10;

const ASKED = { "permission.asked": "permission", "question.asked": "question", "permission.updated": "terminal" };
const SETTLED = ["permission.replied", "question.replied", "question.rejected"];

export function connect({ client, directory }) {
  const asked = new Map();

  async function heard({ type, properties }) {
    if (type in ASKED) await ask(type, properties);
    else if (SETTLED.includes(type)) await settle(type, properties);
    else if (type === "session.idle") await tell(type, properties);
  }

  async function ask(type, properties) {
    const entry = { settled: false, reported: false, waits: false };
    asked.set(properties.id, entry);
    await pause(SETTLED_AT_ONCE_MS);
    const root = await rootOf(properties.sessionID);
    if (entry.settled) return;
    entry.reported = true;
    entry.waits = true;
    const output = await hook("ask", { type, ...shortened(properties), root, cwd: directory });
    entry.waits = false;
    const { reply, message, answers } = parsed(output);
    if (ASKED[type] === "permission" && reply !== undefined) await answer("permission", properties.id, { reply, message });
    if (ASKED[type] === "question" && answers !== undefined) await answer("question", properties.id, { answers });
  }

  // Of several answers opencode takes the first, and refuses the others.
  async function answer(kind, requestID, body) {
    await client._client.post({
      url: "/" + kind + "/{requestID}/reply",
      path: { requestID },
      body,
      headers: { "Content-Type": "application/json" },
    });
  }

  // Told again until the waiting report has ended: the two may overtake each other, and the relay may be away.
  async function settle(type, { permissionID, ...properties }) {
    // Before version 1.1 a request had another name.
    properties.requestID ??= permissionID;
    const entry = asked.get(properties.requestID);
    if (entry === undefined) return;
    entry.settled = true;
    asked.delete(properties.requestID);
    if (!entry.reported) return;
    for (let tries = 60; tries > 0; tries--) {
      await tell(type, properties);
      if (entry.waits) await pause(AGAIN_MS);
      if (!entry.waits) return;
    }
  }

  async function tell(type, properties) {
    await hook("tell", { type, properties, root: await rootOf(properties.sessionID), cwd: directory });
  }

  // The session that the user talks to: a sub-agent's session has a parent.
  async function rootOf(id) {
    let root = id;
    for (let steps = 0; steps < MOST_PARENTS; steps++) {
      const parent = (await client.session.get({ path: { id: root } })).data?.parentID;
      if (!parent) break;
      root = parent;
    }
    return root;
  }

  return {
    // Not awaited: opencode goes on meanwhile.
    event: async ({ event }) => void heard(event).catch(() => undefined),
  };
}

function hook(mode, event) {
  return new Promise((resolve) => {
    const child = spawn("sh", [SCRIPT, "opencode", mode], { stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (data) => {
      if (output.length < MOST_OUTPUT) output += data;
    });
    child.on("close", () => resolve(output));
    child.on("error", () => resolve(""));
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(event));
  });
}

// What does not fit is told without its whole input, and then answered in the terminal alone.
function shortened(properties) {
  if (Buffer.byteLength(JSON.stringify(properties)) <= MOST_EVENT) return { properties };
  const { filepath, diff } = properties.metadata ?? {};
  const metadata = { filepath, diff: typeof diff === "string" ? diff.slice(0, MOST_DIFF) : undefined };
  return { properties: { ...properties, patterns: [], always: [], metadata }, cut: true };
}

function parsed(output) {
  try {
    return JSON.parse(output) ?? {};
  } catch {
    return {};
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
`;
