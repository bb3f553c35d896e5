import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { run as runProgram } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

const READY_WITHIN_MS = 30_000;
const POLL_MS = 20;
const REMOVE_TRIES = 20;
/** The process id of the owner. */
const FOLDER = "patchbay-debian-";

/**
 * The first process: makes the mounts of the root's own in namespaces that vanish with it, and changes into the root. It is
 * the real root of its namespace, because in a mere chroot an ordinary user can make no user namespace, which Chromium's
 * sandbox needs. It ends with its input, so that no process and no mount outlives the script, however that ends; and it
 * ignores SIGCHLD, so that orphans do not remain zombies.
 */
const INIT = `
set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for node in null zero full random urandom tty; do touch "$root/dev/$node"; mount --bind "/dev/$node" "$root/dev/$node"; done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir -p "$root/mnt/outside"
cd "$root"
pivot_root . mnt/outside
umount -l /mnt/outside
echo ready
exec env --ignore-signal=CHLD cat > /dev/null
`;

/**
 * @typedef {object} Ended
 * @property {number} code
 * @property {string} output of both streams
 *
 * @typedef {object} RunOptions
 * @property {string} [user] default: root
 * @property {Readonly<Record<string, string>>} [env] besides that user's bare environment
 * @property {(piece: string) => void} [heard] gets the output as it comes
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Started a running program
 * @property {() => string} output so far, of both streams
 * @property {Promise<number>} ended its exit code
 * @property {(signal: NodeJS.Signals) => void} kill signals the program's process group
 */

/** A minimal Debian below a temporary folder, with its own processes; disposing of it removes everything. */
export class DebianRoot {
  /** @type {import("node:child_process").ChildProcess} */
  #space;
  /** @type {number} */
  #init;

  /** @param {{ folder: string, space: import("node:child_process").ChildProcess, init: number }} parts */
  constructor({ folder, space, init }) {
    /** @readonly */
    this.folder = folder;
    this.#space = space;
    this.#init = init;
  }

  /**
   * Runs a shell's command line in it, as root or as another user, with that user's bare environment.
   * @param {string} command
   * @param {RunOptions} [options]
   * @returns {Promise<Ended>}
   */
  async run(command, options = {}) {
    const { output, ended } = this.start(command, options);
    const code = await ended;
    options.signal?.throwIfAborted();
    return { code, output: output() };
  }

  /**
   * Like `run`, but throws on failure. Returns the trimmed output.
   * @param {string} command
   * @param {RunOptions} [options]
   */
  async must(command, options = {}) {
    const { code, output } = await this.run(command, options);
    if (code !== 0) throw new Error(`${command}: ended with ${code}:\n${output.slice(-4000)}`);
    return output.trim();
  }

  /**
   * Starts a running program; it ends with the root at the latest.
   * @param {string} command
   * @param {RunOptions} [options]
   * @returns {Started}
   */
  start(command, { user = "root", env = {}, heard, signal } = {}) {
    const home = user === "root" ? "/root" : `/home/${user}`;
    const own = [
      `HOME=${home}`,
      `USER=${user}`,
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "LANG=C.UTF-8",
      "DEBIAN_FRONTEND=noninteractive",
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ];
    const enter = ["--target", String(this.#init), "--mount", "--pid"];
    const become = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups", "env", "-i", ...own];
    const child = spawn("nsenter", [...enter, ...become, "sh", "-c", `cd; ${command}`], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (piece) => {
        text += piece;
        heard?.(piece);
      });
    }
    /** @param {NodeJS.Signals} name */
    const kill = (name) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-child.pid, name);
    };
    const stop = () => kill("SIGKILL");
    signal?.addEventListener("abort", stop);
    const ended = once(child, "close").then(([code]) => {
      signal?.removeEventListener("abort", stop);
      return typeof code === "number" ? code : 1;
    });
    return { output: () => text, ended, kill };
  }

  async [Symbol.asyncDispose]() {
    const { exitCode, signalCode } = this.#space;
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#space, "exit");
      this.#space.stdin?.end();
      // Its mounts are in its namespace alone and go with its last process; only then are files removed.
      process.kill(this.#init, "SIGKILL");
      await ended;
    }
    await removeTree(this.folder);
  }
}

/**
 * Unpacks a Debian from an archive of its files and starts it. Needs root.
 * @param {string} archive
 * @param {AbortSignal} [signal]
 * @returns {Promise<DebianRoot>}
 */
export async function startDebian(archive, signal = new AbortController().signal) {
  await removeAbandoned();
  const folder = mkdtempSync(path.join(tmpdir(), `${FOLDER}${process.pid}-`));
  try {
    const code = await runProgram("tar", ["--numeric-owner", "-xf", archive, "-C", folder], { signal });
    if (code !== 0) throw new SetUpError(`${archive} could not be unpacked; remove it and run again.`);
    chmodSync(folder, 0o755);
    for (const file of ["etc/resolv.conf", "etc/hosts"]) {
      rmSync(path.join(folder, file), { force: true });
      if (existsSync(`/${file}`)) copyFileSync(`/${file}`, path.join(folder, file));
    }
    mkdirSync(path.join(folder, "mnt/outside"), { recursive: true });
    return await startIn(folder, signal);
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

/** @param {string} folder @param {AbortSignal} signal */
async function startIn(folder, signal) {
  // A group of its own: a Ctrl-C in the terminal reaches this script first, which then ends it in order.
  const words = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", INIT, "sh", folder];
  const space = spawn("unshare", words, { stdio: "pipe", detached: true });
  try {
    let said = "";
    let complaint = "";
    space.stderr.on("data", (piece) => {
      complaint += String(piece);
    });
    space.stdout.on("data", (piece) => {
      said += String(piece);
    });
    const until = performance.now() + READY_WITHIN_MS;
    while (!said.includes("ready")) {
      if (space.exitCode !== null || performance.now() > until)
        throw new SetUpError(
          `A root of its own could not be started (needs root and namespaces of mounts): ${complaint}`,
        );
      await delay(POLL_MS, undefined, { signal });
    }
    const children = readFileSync(`/proc/${space.pid}/task/${space.pid}/children`, "utf8");
    return new DebianRoot({ folder, space, init: Number(children.trim().split(" ")[0]) });
  } catch (error) {
    const ended = once(space, "exit");
    if (space.exitCode === null && space.signalCode === null) {
      space.kill("SIGKILL");
      await ended;
    }
    throw error;
  }
}

/** Removes the files of killed scripts; their mounts and processes have already ended. */
async function removeAbandoned() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER))) {
    const pid = Number.parseInt(name.slice(FOLDER.length), 10);
    if (!existsSync(`/proc/${pid}`)) await removeTree(path.join(tmpdir(), name));
  }
}

/** Never where something is mounted still: files below a mount belong to somebody else. @param {string} folder */
async function removeTree(folder) {
  for (let tries = 0; isMountedBelow(folder); tries += 1) {
    if (tries === REMOVE_TRIES) throw new SetUpError(`${folder} is left: something is still mounted in it.`);
    await delay(100);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {string} folder */
function isMountedBelow(folder) {
  return readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .some((line) => {
      const place = line.split(" ")[1] ?? "";
      return place === folder || place.startsWith(`${folder}/`);
    });
}
