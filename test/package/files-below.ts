import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";

/** Mounts, and what package managers and logs write down for themselves. */
const NOT_COMPARED =
  /^(proc|sys|dev|run|tmp)(\/|$)|^var\/(log|cache\/apt|cache\/ldconfig|cache\/debconf|cache\/man|lib\/apt)(\/|$)|^var\/lib\/dpkg\/(status|status-old|available|available-old|lock.*|diversions.*|statoverride.*|triggers\/.*)$/;

/** Every file of a system, by path, with its kind, rights, owner and content in one line; folders without their times. */
export async function filesBelow(root: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(root, { recursive: true })).filter((name) => !NOT_COMPARED.test(name)).sort();
  const found = new Map<string, string>();
  for (const name of names) found.set(name, await described(path.join(root, name)));
  return found;
}

/** What is different between two of them, as lines: `+ path`, `- path`, `! path`. */
export function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `- ${name}`);
  const come = [...after.keys()].filter((name) => !before.has(name)).map((name) => `+ ${name}`);
  const other = [...after].filter(([name, what]) => before.has(name) && before.get(name) !== what);
  return [...gone, ...come, ...other.map(([name]) => `! ${name}`)].sort();
}

async function described(file: string): Promise<string> {
  const stat = await lstat(file);
  const rights = `${stat.mode.toString(8)} ${stat.uid}:${stat.gid}`;
  if (stat.isSymbolicLink()) return `${rights} -> ${await readlink(file)}`;
  if (!stat.isFile()) return rights;
  return `${rights} ${createHash("sha256")
    .update(await readFile(file))
    .digest("hex")}`;
}
