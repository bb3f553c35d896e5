import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDaemon } from "./daemon.mjs";
import { startGuard } from "./guard.mjs";
import { startKeyring } from "./keyring.mjs";

/**
 * @typedef {object} VirtualDesktop
 * @property {NodeJS.ProcessEnv} env variables for programs that are to live on it
 * @property {() => Promise<void>} stop ends its programs and removes its files; may be called twice
 */

/**
 * Starts the parts of a desktop that this machine lacks: an X server without a screen, and a D-Bus session with an
 * unlocked Secret Service. They end with `stop`, and by themselves when this process dies without it. (Started one by
 * one and not through xvfb-run and dbus-run-session, which leave their children behind when they are ended.)
 * @param {{ display: boolean, bus: boolean, keyrings: string, signal: AbortSignal }} options
 *   keyrings: the folder that keeps the secrets, apart from the user's own keyrings, because their password is an empty line
 * @returns {Promise<VirtualDesktop>}
 */
export async function startVirtualDesktop({ display, bus, keyrings, signal }) {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-desktop-"));
  /** @type {(() => Promise<void>)[]} */
  const stops = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
  };
  /** @type {number[]} */
  const pids = [];
  /** @param {import("./daemon.mjs").Daemon} daemon */
  const keep = (daemon) => {
    stops.push(daemon.stop);
    pids.push(daemon.pid);
    return daemon;
  };
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  try {
    if (display) {
      const authority = path.join(folder, "xauthority");
      writeFileSync(authority, xauthority(randomBytes(16)), { mode: 0o600 });
      const name = `:${keep(await startDisplay(authority, signal)).answer}`;
      Object.assign(env, { DISPLAY: name, XAUTHORITY: authority });
    }
    if (bus) {
      const daemon = keep(await startBus(folder, env, signal));
      env.DBUS_SESSION_BUS_ADDRESS = daemon.answer;
      keep(await startKeyring({ address: daemon.answer, runtime: folder, keyrings, signal }));
    }
    const guard = startGuard(pids, folder);
    stops.push(async () => guard.stop());
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Xvfb picks a free display number and tells it once it accepts connections. Only who can read `authority` may connect:
 * without it every user of the machine could read and type into the terminals.
 * @param {string} authority
 * @param {AbortSignal} signal
 */
function startDisplay(authority, signal) {
  const args = ["-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-auth", authority];
  return startDaemon("Xvfb", args, { signal, answerOn: 3 });
}

/**
 * What the bus starts lives on this desktop too: with the user's own runtime folder, the accessibility bus would take the
 * place of the user's, and that of one desktop the place of another's.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} display variables of the virtual display, if there is one
 * @param {AbortSignal} signal
 */
function startBus(folder, display, signal) {
  const args = [
    "--session",
    "--nofork",
    "--nopidfile",
    "--print-address=1",
    `--address=unix:path=${path.join(folder, "bus")}`,
  ];
  const env = { ...process.env, ...display, XDG_RUNTIME_DIR: folder };
  return startDaemon("dbus-daemon", args, { signal, answerOn: 1, env });
}

/**
 * An authority file with one cookie that is good for every display (family "wild"; X.Org's Xau file format).
 * @param {Buffer} cookie
 */
export function xauthority(cookie) {
  const counted = (/** @type {Buffer} */ bytes) =>
    Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  const none = Buffer.alloc(0);
  return Buffer.concat([
    Buffer.from([0xff, 0xff]),
    ...[none, none, Buffer.from("MIT-MAGIC-COOKIE-1"), cookie].map(counted),
  ]);
}
