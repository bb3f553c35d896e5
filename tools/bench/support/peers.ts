import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../setup/cache-folder.mjs";
import { withLock } from "../../setup/lock.mjs";
import { publishFolder } from "../../setup/publish-folder.mjs";
import type { BenchContext } from "../bench-context.ts";

/** A peer program is not available on this machine, with the reason. Peers are never dependencies. */
export class PeerMissing {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** A program and the variables that it needs. */
export interface PeerProgram {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

type PeerContext = Pick<BenchContext, "log" | "signal">;

export const VIBETUNNEL_VERSION = "1.0.0-beta.15.1";

/**
 * Returns the folder of VibeTunnel's npm package. Its install script is not run, because it compiles and installs more;
 * the two native modules that it would unpack for this Node are part of the package.
 */
export function vibeTunnelPackage(lending: PeerContext): Promise<string | PeerMissing> {
  const { modules } = process.versions;
  const build = `node-v${modules}-${process.platform}-${process.arch}`;
  const inFolder = (folder: string) => join(folder, "node_modules", "vibetunnel");
  return kept(`vibetunnel-${VIBETUNNEL_VERSION}-${build}`, lending, async (folder, call) => {
    const wanted = `vibetunnel@${VIBETUNNEL_VERSION}`;
    const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retries=1", "--loglevel=error"];
    await call("npm", ["install", "--prefix", folder, "--ignore-scripts", ...quiet, wanted]);
    const own = inFolder(folder);
    const unpack = (name: string, target: string) =>
      call("tar", ["-xzf", join(own, "prebuilds", `${name}-${build}.tar.gz`), "-C", target]);
    await unpack("node-pty-v1.0.0", join(own, "node-pty"));
    if (process.platform === "linux")
      await unpack("authenticate-pam-v1.0.5", join(folder, "node_modules", "authenticate-pam"));
  }).then((folder) => (folder instanceof PeerMissing ? folder : inFolder(folder)));
}

/** Returns the installed program, or the one of Debian's package of the same name, unpacked and not installed. */
export async function debianProgram(
  name: string,
  lending: PeerContext,
  program = name,
): Promise<PeerProgram | PeerMissing> {
  const installed = (process.env.PATH ?? "").split(delimiter).map((place) => join(place, program));
  const file = installed.find((one) => existsSync(one));
  if (file !== undefined) return { file, env: {} };
  const folder = await kept(`debian-${name}-${process.arch}`, lending, async (target, call) => {
    const plan = ["install", "--simulate", "--no-install-recommends", name];
    const steps = await call("apt-get", plan).catch(async () => {
      // Missing or outdated package lists do not contain it.
      await call("apt-get", ["update", "-qq"]);
      return call("apt-get", plan);
    });
    const packages = [...steps.matchAll(/^Inst (\S+)/gm)].map(([, one]) => one ?? "");
    await call("apt-get", ["download", "-qq", ...packages], target);
    const archives = (await readdir(target)).filter((one) => one.endsWith(".deb"));
    for (const archive of archives) await call("dpkg-deb", ["-x", archive, "."], target);
  });
  if (folder instanceof PeerMissing) return folder;
  const libraries = (await readdir(join(folder, "usr", "lib"))).filter((one) => one.endsWith("-linux-gnu"));
  const paths = libraries.map((one) => join(folder, "usr", "lib", one)).join(":");
  return { file: join(folder, "usr", "bin", program), env: { LD_LIBRARY_PATH: paths } };
}

type Call = (program: string, args: readonly string[], cwd?: string) => Promise<string>;

/** Returns a folder in the user's cache. The first call fills it; an incomplete folder never exists. */
async function kept(
  name: string,
  { log, signal }: PeerContext,
  fill: (folder: string, call: Call) => Promise<void>,
): Promise<string | PeerMissing> {
  const peers = join(cacheFolder(), "peers");
  const folder = join(peers, name);
  const call: Call = async (program, args, cwd) => {
    const { stdout } = await promisify(execFile)(program, args, { cwd, signal, maxBuffer: 1 << 26 });
    return stdout;
  };
  try {
    await withLock(join(cacheFolder(), "locks", "peers.lock"), { log, signal, waitingFor: name }, async () => {
      if (existsSync(folder)) return;
      log(`fetching ${name}, to compare with`);
      await publishFolder(folder, (draft) => fill(draft, call));
    });
    return folder;
  } catch (error) {
    signal.throwIfAborted();
    return new PeerMissing(`not reachable here: ${firstLineOf(error)}`);
  }
}

function firstLineOf(error: unknown): string {
  const complaint = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  const text = complaint || (error instanceof Error ? error.message : String(error));
  return (text.split("\n")[0] ?? "").slice(0, 160);
}
