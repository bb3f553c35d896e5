/**
 * A caller that asks for as much as it can of everything that its credential allows: `node attacker.mjs JSON`. It prints a
 * line when it begins, its answers counted by status or error code at SIGTERM, and ends with its parent. A guest calls
 * over the WebSocket of a page, other callers over HTTP.
 *
 * @typedef {object} Attack
 * @property {number} port of the relay on 127.0.0.1
 * @property {string} session
 * @property {Readonly<Record<string, string>>} headers with the credential
 * @property {boolean} guest
 * @property {number} shell whose output is read and waited for
 * @property {number} outstanding requests of each kind
 * @property {number} protocol version of the WebSocket's frames
 */
import { Agent, request } from "node:http";
import { WebSocket } from "ws";

/** Takes longer than any limit on text without a match, in an engine that goes back. */
const HOSTILE = "(a+)+$|(a|aa)+=$";
/** A stream of events is closed again after this time, to be opened anew. */
const STREAM_MS = 100;

/** @type {Attack} */
const attack = JSON.parse(process.argv[2] ?? "");
const { shell } = attack;
/** @type {Record<string, number>} */
const counts = {};

const kinds = attack.guest ? await guestKinds() : httpKinds();
for (const kind of kinds) for (let one = 0; one < attack.outstanding; one += 1) void repeat(kind);
process.stdout.write("attacking\n");
process.on("SIGTERM", () => process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0)));
process.stdin.on("end", () => process.exit(0)).resume();

/** @param {() => Promise<string>} kind */
async function repeat(kind) {
  for (;;) {
    const status = await kind();
    counts[status] = (counts[status] ?? 0) + 1;
  }
}

function httpKinds() {
  const agent = new Agent({ keepAlive: true });
  /**
   * @param {string} method
   * @param {object} params
   */
  const command = (method, params) => () => ask("POST", "remote/command", { body: { method, params } });
  return [
    command("getTiles", {}),
    command("getShellOutput", { id: shell, plain: true }),
    command("getShellOutput", { id: shell }),
    command("waitFor", { id: shell, text: HOSTILE, since: 0, timeout: 60 }),
    () => ask("GET", "events", { endAfterMs: STREAM_MS }),
    () => ask("GET", "no-such-path"),
  ];

  /**
   * @param {string} method
   * @param {string} path below the session
   * @param {{ body?: object, endAfterMs?: number }} [options]
   * @returns {Promise<string>}
   */
  function ask(method, path, { body, endAfterMs } = {}) {
    return new Promise((resolve) => {
      const { port, session, headers } = attack;
      const content = body === undefined ? {} : { "Content-Type": "application/json" };
      const options = { agent, port, method, host: "127.0.0.1", headers: { ...headers, ...content } };
      const asked = request({ ...options, path: `/v1/sessions/${session}/${path}` }, (answer) => {
        if (endAfterMs !== undefined) setTimeout(() => asked.destroy(), endAfterMs);
        answer.resume();
        answer.once("close", () => resolve(String(answer.statusCode)));
      });
      asked.once("error", (error) => resolve("code" in error ? String(error.code) : "error"));
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** A client that is disconnected comes back, as an attacker's would. */
async function guestKinds() {
  const { port, session, headers, protocol } = attack;
  /** @type {Map<number, (status: string) => void>} */
  const waiting = new Map();
  let last = 0;
  let connection = connect();
  await connection;
  /**
   * @param {string} op
   * @param {object} params
   */
  const ask = (op, params) => async () => {
    const socket = await connection;
    return new Promise((/** @type {(status: string) => void} */ resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ type: "ask", id: last, op, params }));
    });
  };
  return [
    ask("readOutput", { shell, format: "plain" }),
    ask("readOutput", { shell }),
    ask("waitFor", { shell, text: HOSTILE, since: 0, timeoutMs: 60_000 }),
  ];

  /** @returns {Promise<WebSocket>} once the relay has welcomed it */
  function connect() {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/s/${session}/socket`, { headers });
    socket.once("open", () =>
      socket.send(JSON.stringify({ type: "hello", protocol, device: "attacker", clientKind: "browser" })),
    );
    socket.once("close", (_code, reason) => {
      const how = `closed: ${reason}`;
      counts[how] = (counts[how] ?? 0) + 1;
      connection = connect();
      for (const settle of waiting.values()) settle("unanswered");
      waiting.clear();
    });
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.on("message", (data, isBinary) => {
        if (isBinary) return;
        const frame = JSON.parse(String(data));
        if (frame.type === "welcome") resolve(socket);
        if (frame.type !== "answer" && frame.type !== "refused") return;
        waiting.get(frame.id)?.(frame.type === "answer" ? "answer" : frame.error.code);
        waiting.delete(frame.id);
      });
    });
  }
}
