import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../setup/cache-folder.mjs";
import { run } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";

const SUITE = "bookworm";
/** Packages beyond a bare Debian that the package tests use, and that maintain or check menus, manuals and completions. */
export const packageTestPrograms = [
  "xvfb",
  "xauth",
  "dbus",
  "dbus-x11",
  "curl",
  "procps",
  "desktop-file-utils",
  "appstream",
  "man-db",
  "bash-completion",
  "zsh",
  "fish",
  "ca-certificates",
];

/**
 * Returns an archive of a bare Debian with the named packages from the user's cache folder, and makes it with
 * debootstrap if it is missing. Throws a SetUpError if that is not possible.
 * @param {import("../setup/run.mjs").Context} context
 * @param {readonly string[]} include Debian's names; none: Debian's minimum and nothing else
 */
export async function debianArchive({ log, signal }, include) {
  const contents = createHash("sha256").update(include.join(" ")).digest("hex").slice(0, 8);
  const file = path.join(cacheFolder(), `debian-${SUITE}-${include.length === 0 ? "minimum" : contents}.tar`);
  if (existsSync(file)) return file;
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-debootstrap-"));
  try {
    log(`making a bare Debian (${SUITE}) with debootstrap`);
    const more = include.length === 0 ? [] : [`--include=${include.join(",")}`];
    const words = ["--variant=minbase", ...more, SUITE, folder, ...(await mirror())];
    const code = await run("debootstrap", words, { signal, stdio: ["ignore", "ignore", "inherit"] });
    if (code !== 0) throw new SetUpError(`debootstrap failed with ${code}; its log is in debootstrap/debootstrap.log.`);
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    await promisify(execFile)("tar", ["--numeric-owner", "-cf", draft, "-C", folder, "."], { signal });
    renameSync(draft, file);
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the machine's source of Debian packages of that suite, or debootstrap's default. */
async function mirror() {
  const { stdout } = await promisify(execFile)("apt-get", [
    "indextargets",
    "--format",
    "$(SUITE)|$(CODENAME)|$(REPO_URI)",
  ]);
  const row = stdout.split("\n").find((line) => line.includes(`|${SUITE}|`));
  return row === undefined ? [] : [row.split("|")[2] ?? ""];
}
