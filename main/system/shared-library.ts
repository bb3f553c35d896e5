import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const FOLDERS = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib"];

/** Whether the dynamic loader of this Linux finds one of these libraries, for example `libnotify.so.4`. */
export function hasSharedLibrary(names: readonly string[]): boolean {
  const env = { ...process.env, PATH: `${process.env.PATH ?? ""}:/sbin:/usr/sbin` };
  const { stdout } = spawnSync("ldconfig", ["-p"], { encoding: "utf8", env });
  if (typeof stdout === "string" && stdout !== "") return names.some((name) => stdout.includes(`\t${name} `));
  const folders = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => [folder, ...multiarch(folder)]);
  return folders.some((folder) => names.some((name) => existsSync(path.join(folder, name))));
}

/** Folders such as /usr/lib/x86_64-linux-gnu. */
function multiarch(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.includes("-linux-"))
    .map((name) => path.join(folder, name));
}
