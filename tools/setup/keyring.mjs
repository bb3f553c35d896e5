import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { startDaemon } from "./daemon.mjs";
import { SetUpError } from "./set-up-error.mjs";

const CLAIM_TRIES = 100;
const CLAIM_POLL_MS = 50;

/**
 * Starts a Secret Service on a D-Bus session and unlocks it with an empty line as password.
 * @param {{ address: string, runtime: string, keyrings: string, signal: AbortSignal }} options
 *   runtime: folder for its sockets; keyrings: folder whose `keyrings` folder keeps the secrets
 */
export async function startKeyring({ address, runtime, keyrings, signal }) {
  mkdirSync(keyrings, { recursive: true, mode: 0o700 });
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: keyrings };
  const args = ["--foreground", "--unlock", "--components=secrets"];
  const daemon = await startDaemon("gnome-keyring-daemon", args, { signal, env, input: "\n" });
  try {
    await untilClaimed(env, signal);
  } catch (error) {
    await daemon.stop();
    throw error;
  }
  return daemon;
}

/**
 * The daemon runs for a moment before it owns its name on the bus; a request in between would start a second one.
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 */
async function untilClaimed(env, signal) {
  const question = ["--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"];
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const { stdout } = spawnSync(
      "dbus-send",
      [...question, "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"],
      { env, encoding: "utf8" },
    );
    if (stdout?.includes("true")) return;
    await delay(CLAIM_POLL_MS, undefined, { signal });
  }
  throw new SetUpError("gnome-keyring-daemon runs, but offers no Secret Service on the session bus.");
}
