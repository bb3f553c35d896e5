import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { until } from "../support/until.ts";

/** Mounts of the root's own, in namespaces that vanish with the first process in them. */
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
echo ready
exec chroot "$root" sleep infinity
`;

export interface Ended {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

/** A small Debian of its own below a temporary folder, with its own processes; nothing of it is left afterwards. */
export class DebianRoot implements AsyncDisposable {
  readonly folder: string;
  readonly #init: number;
  readonly #end: () => Promise<void>;

  constructor(parts: { folder: string; init: number; end: () => Promise<void> }) {
    this.folder = parts.folder;
    this.#init = parts.init;
    this.#end = parts.end;
  }

  /** Runs a shell's command line in it, as root or as another user, with that user's bare environment. */
  async run(command: string, { user = "root" }: { user?: string } = {}): Promise<Ended> {
    const { file, args } = this.#entering(command, user);
    return promisify(execFile)(file, args, { maxBuffer: 1 << 26 }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  }

  /** As `run`, but a failure fails the test; answers what was printed, without white space around it. */
  async must(command: string, options: { user?: string } = {}): Promise<string> {
    const { code, output } = await this.run(command, options);
    if (code !== 0) throw new Error(`${command}: ended with ${code}:\n${output.slice(-4000)}`);
    return output.trim();
  }

  /** Starts a program that goes on; it ends with the root at the latest. */
  start(command: string, { user }: { user: string }): void {
    const { file, args } = this.#entering(command, user);
    spawn(file, args, { stdio: "ignore" }).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #entering(command: string, user: string): { file: string; args: string[] } {
    const home = user === "root" ? "/root" : `/home/${user}`;
    const env = ["env", "-i", `HOME=${home}`, `USER=${user}`, "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"];
    const words = [
      "setpriv",
      `--reuid=${user}`,
      `--regid=${user}`,
      "--init-groups",
      ...env,
      "DEBIAN_FRONTEND=noninteractive",
    ];
    const enter = ["--target", String(this.#init), "--mount", "--pid", "chroot", this.folder];
    return { file: "nsenter", args: [...enter, ...words, "sh", "-c", `cd; ${command}`] };
  }
}

/** Unpacks a Debian from an archive of its files and starts it. Needs root. */
export async function startDebian(archive: string): Promise<DebianRoot> {
  const folder = await mkdtemp(path.join(tmpdir(), "patchbay-debian-"));
  await promisify(execFile)("tar", ["--numeric-owner", "-xf", archive, "-C", folder]);
  await chmod(folder, 0o755);
  await writeFile(path.join(folder, "etc/resolv.conf"), await readFile("/etc/resolv.conf", "utf8"));
  const space = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", INIT, "sh", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  space.stdout.on("data", (piece: Buffer) => {
    said += String(piece);
  });
  const ended = new Promise<void>((resolve) => space.once("exit", () => resolve()));
  const init = await until("the first process of the root", async () => {
    if (!said.includes("ready")) return undefined;
    const children = await readFile(`/proc/${space.pid}/task/${space.pid}/children`, "utf8");
    return Number(children.trim().split(" ")[0]) || undefined;
  });
  return new DebianRoot({
    folder,
    init,
    async end() {
      process.kill(init, "SIGKILL");
      await ended;
    },
  });
}
