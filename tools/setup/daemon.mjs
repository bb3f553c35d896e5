import { spawn } from "node:child_process";
import { once } from "node:events";
import { SetUpError } from "./set-up-error.mjs";

const READY_WITHIN_MS = 15_000;
const KILL_AFTER_MS = 3_000;
const KEPT_COMPLAINT = 2_000;

/**
 * @typedef {object} Daemon
 * @property {number} pid
 * @property {string} answer the first line that it wrote to say that it is ready; empty where none was asked for
 * @property {() => Promise<void>} stop SIGTERM, then SIGKILL after 3 s
 */

/**
 * Starts a program that keeps running, and waits for its ready line on `answerOn`. It has a process
 * group of its own, so that a Ctrl-C in the terminal ends what uses it first.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ signal: AbortSignal, answerOn?: 1 | 3, input?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Daemon>}
 */
export async function startDaemon(command, args, { signal, answerOn, input, env = process.env }) {
  signal.throwIfAborted();
  const stdio = /** @type {("pipe" | "ignore")[]} */ ([
    input === undefined ? "ignore" : "pipe",
    "ignore",
    "pipe",
    "ignore",
  ]);
  if (answerOn !== undefined) stdio[answerOn] = "pipe";
  const child = spawn(command, args, { stdio, env, detached: true });
  const complaint = lastOf(child.stderr);
  const exited = once(child, "exit").catch(() => {});
  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
    await exited;
    clearTimeout(timer);
  };
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  try {
    await once(child, "spawn", { signal });
    const answer = answerOn === undefined ? "" : await firstLine(child, answerOn, signal);
    return { pid: child.pid ?? 0, answer, stop };
  } catch (error) {
    await stop();
    signal.throwIfAborted();
    throw new SetUpError(
      `${command} could not be started: ${error instanceof Error ? error.message : error}\n${complaint()}`.trim(),
    );
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {1 | 3} answerOn
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
function firstLine(child, answerOn, signal) {
  const { promise, resolve, reject } = withResolvers();
  let text = "";
  child.stdio[answerOn]?.on("data", (chunk) => {
    text += text.includes("\n") ? "" : chunk;
    if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")).trim());
  });
  child.once("exit", (code, ending) => reject(new Error(`it ended with ${ending ?? `exit code ${code}`}`)));
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  const timer = setTimeout(
    () => reject(new Error(`it was not ready after ${READY_WITHIN_MS / 1000} s`)),
    READY_WITHIN_MS,
  );
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

/** Promise.withResolvers, which Node 20 lacks. */
function withResolvers() {
  /** @type {(value: string) => void} */
  let resolve = () => {};
  /** @type {(reason: unknown) => void} */
  let reject = () => {};
  /** @type {Promise<string>} */
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** @param {import("node:stream").Readable | null} stream */
function lastOf(stream) {
  let text = "";
  stream?.on("data", (chunk) => {
    text = (text + chunk).slice(-KEPT_COMPLAINT);
  });
  return () => text.trim();
}
