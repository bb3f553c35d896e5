import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cacheFolder } from "../setup/cache-folder.mjs";
import { checkout } from "../setup/checkout.mjs";
import { run } from "../setup/run.mjs";
import { startDebian } from "./debian-root.mjs";
import { installNetworkSettings } from "./machine.mjs";
import { StepError } from "./report.mjs";

const UP_WITHIN_MS = 20 * 60_000;
const POLL_MS = 200;
const TAIL = 6_000;
/** An ordinary user. */
export const USER = "tester";

/** A bare Debian with Node and a clean clone of this checkout's HEAD, in the home of the user who works with it. */
export class FreshCheckout {
  /**
   * @param {{ archive: string, part: string, user: string, signal: AbortSignal }} options
   */
  static async start({ archive, part, user, signal }) {
    const debian = await startDebian(archive, signal);
    try {
      const env = installNetworkSettings(debian.folder);
      const home = user === "root" ? "/root" : `/home/${user}`;
      if (user !== "root") await debian.must(`useradd --create-home --shell /bin/bash ${user}`);
      const place = path.join(debian.folder, home, "patchbay");
      const words = ["clone", "--quiet", "--no-hardlinks", checkout, place];
      if ((await run("git", words, { signal })) !== 0) throw new StepError("The checkout could not be cloned.");
      await debian.must(`chown -R ${user}:${user} ${home}/patchbay`);
      return new FreshCheckout({ debian, env, user, part, signal });
    } catch (error) {
      await debian[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** @param {{ debian: import("./debian-root.mjs").DebianRoot, env: Record<string, string>, user: string, part: string, signal: AbortSignal }} parts */
  constructor({ debian, env, user, part, signal }) {
    this.debian = debian;
    this.env = env;
    this.user = user;
    this.signal = signal;
    /** @readonly */
    this.log = path.join(cacheFolder(), "fresh", `${part}.log`);
    mkdirSync(path.dirname(this.log), { recursive: true });
    rmSync(this.log, { force: true });
  }

  [Symbol.asyncDispose]() {
    return this.debian[Symbol.asyncDispose]();
  }

  /** Runs a command in the checkout as its user. @param {string} command */
  run(command) {
    return this.debian.run(`cd patchbay; ${command}`, this.#options());
  }

  /** As `run`; a failure fails the step. @param {string} command */
  async must(command) {
    const { code, output } = await this.run(command);
    if (code !== 0)
      throw new StepError(`${command} ended with ${code}; all of it is in ${this.log}:\n${output.slice(-TAIL)}`);
    return output;
  }

  /**
   * Runs a command that lacks the rights to install, then, as root, the command that it tells the user to run.
   * @param {string} command
   */
  async refusedThenObeyed(command) {
    const { code, output } = await this.run(command);
    const told = /^ +(sudo .+)$/m.exec(output)?.[1];
    if (code === 0 || told === undefined)
      throw new StepError(
        `${command} as ${this.user} ended with ${code} and named no command to type:\n${output.slice(-TAIL)}`,
      );
    const typed = told.replaceAll(/(^|&& )sudo /g, "$1");
    const done = await this.debian.run(typed, { env: this.env, heard: this.#heard, signal: this.signal });
    if (done.code !== 0)
      throw new StepError(`What it said to type failed with ${done.code}: ${told}\n${done.output.slice(-TAIL)}`);
    return told;
  }

  /**
   * `npm start` until it says that it is up, the four lines that it prints, and a Ctrl-C.
   * @param {string} command
   */
  async startsAndStops(command) {
    const app = this.debian.start(`cd patchbay; ${command}`, this.#options());
    let ended = false;
    void app.ended.then(() => {
      ended = true;
    });
    const until = performance.now() + UP_WITHIN_MS;
    while (!/Try next[^\n]*\n( {2}[^\n]+\n){4}/.test(app.output())) {
      if (ended || performance.now() > until)
        throw new StepError(`${command} did not come up:\n${app.output().slice(-TAIL)}`);
      await delay(POLL_MS, undefined, { signal: this.signal });
    }
    const lines = [...app.output().matchAll(/^ {2}(\S.*)$/gm)].slice(-4).map(([, line]) => line ?? "");
    const [exported, ...others] = lines;
    // An assignment hides that its command failed.
    const script = [exported, '[ -n "$SERVICE_TOKEN" ]', ...others].join("\n");
    const tried = await this.run(`set -e\n${script}`);
    if (tried.code !== 0) throw new StepError(`The lines that it printed do not work:\n${script}\n${tried.output}`);
    app.kill("SIGINT");
    const gone = await Promise.race([app.ended.then(() => true), delay(30_000, false, { ref: false })]);
    if (!gone) throw new StepError(`${command} did not end within 30 s of a Ctrl-C.`);
    await this.#nothingLeft();
  }

  /** The checkout's processes have all ended. */
  async #nothingLeft() {
    const list =
      "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done 2>/dev/null | grep -E 'patchbay|electron|Xvfb|dbus-daemon|keyring' | grep -v grep || true";
    for (let tries = 0; ; tries += 1) {
      const left = await this.debian.must(list);
      if (left === "") return;
      if (tries === 50) throw new StepError(`Processes are left after a Ctrl-C:\n${left}`);
      await delay(POLL_MS, undefined, { signal: this.signal });
    }
  }

  /** @param {string} piece */
  #heard = (piece) => appendFileSync(this.log, piece);

  #options() {
    return { user: this.user, env: this.env, heard: this.#heard, signal: this.signal };
  }
}
