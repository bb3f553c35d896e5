import { spawn } from "node:child_process";
import { constants } from "node:os";
import { checkout } from "./checkout.mjs";

/**
 * @typedef {object} Context the context of every set-up step
 * @property {(line: string) => void} log one line for the user
 * @property {AbortSignal} signal aborted when the user stops the script
 */

/**
 * Runs a program in the checkout (`cwd`: in another folder) and returns its exit code (128 + n if signal n ended it).
 * Rejects when it cannot be started at all, or when the signal stops it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ signal: AbortSignal, cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import("node:child_process").StdioOptions, shell?: boolean }} options
 * @returns {Promise<number>}
 */
export function run(command, args, { signal, cwd = checkout, env = process.env, stdio = "inherit", shell = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio, signal, shell, windowsHide: true });
    child.once("error", reject);
    child.once("exit", (code, ending) => resolve(code ?? exitCodeOf(ending)));
  });
}

/**
 * Runs a program that is part of node_modules with this Node, without a shell or a shim.
 * @param {string} script path below node_modules
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} options
 */
export function runModule(script, args, options) {
  return run(process.execPath, [`node_modules/${script}`, ...args], options);
}

/**
 * Runs npm: the one that runs this script, if any, because it has the user's settings.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} options
 */
export function runNpm(args, options) {
  const npmScript = process.env.npm_execpath;
  if (npmScript?.endsWith("npm-cli.js")) return run(process.execPath, [npmScript, ...args], options);
  // npm is a .cmd file on Windows, which only a shell can start.
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}

/**
 * The exit code that a shell gives to a program ended by this signal.
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(signal) {
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}
