import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { checkout } from "../setup/checkout.mjs";
import { changelogFile, controlFile, copyrightFile, debianArchitecture, debianVersion } from "./debian-control.mjs";

const PACKAGING = path.join(checkout, "tools", "package", "linux");
const APP = "usr/lib/patchbay";
const SETUID = 0o4755;

/**
 * Makes the Debian package of an unpacked app and returns its path. The package has no maintainer scripts: triggers of
 * other packages update menus and icons, so removing it removes everything that it installed. dpkg-deb makes it directly:
 * electron-installer-debian has no place for man pages, completions and metadata, and its builds are not reproducible.
 * @param {{ app: string, version: string, seconds: number, to: string, signal: AbortSignal, compression?: readonly string[] }} parts
 *   `seconds`: time of every file, since 1970; `compression`: dpkg-deb's switches for it
 */
export async function debianPackage({ app, version, seconds, to, signal, compression = ["-Zxz", "-z4"] }) {
  const stage = mkdtempSync(path.join(tmpdir(), "patchbay-deb-"));
  // An interrupted run must not leave a package that looks complete.
  const draft = path.join(to, `.patchbay-${process.pid}.deb`);
  try {
    await fill(stage, { app, version, seconds });
    setFileModes(stage);
    const architecture = debianArchitecture(process.arch);
    const control = controlFile({ version, architecture, kilobytes: Math.ceil(bytesBelow(stage) / 1024) });
    mkdirSync(path.join(stage, "DEBIAN"), { mode: 0o755 });
    put(stage, "DEBIAN/control", control);
    put(stage, "DEBIAN/md5sums", await checksums(stage, signal));
    const file = path.join(to, `patchbay_${debianVersion(version)}_${architecture}.deb`);
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
    const words = ["--root-owner-group", ...compression, "--build", stage, draft];
    await promisify(execFile)("dpkg-deb", words, { env, signal });
    renameSync(draft, file);
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
    rmSync(draft, { force: true });
  }
}

/** @param {string} stage @param {{ app: string, version: string, seconds: number }} parts */
async function fill(stage, { app, version, seconds }) {
  const date = new Date(seconds * 1000).toISOString();
  const day = date.slice(0, 10);
  cpSync(app, path.join(stage, APP), { recursive: true, verbatimSymlinks: true });
  mkdirSync(path.join(stage, "usr/bin"), { recursive: true });
  symlinkSync("../lib/patchbay/bin/patchbay", path.join(stage, "usr/bin/patchbay"));
  put(stage, "usr/share/applications/patchbay.desktop", packaging("patchbay.desktop"));
  const metainfo = packaging("dev.patchbay.app.metainfo.xml").replace("@VERSION@", version).replace("@DATE@", day);
  put(stage, "usr/share/metainfo/dev.patchbay.app.metainfo.xml", metainfo);
  for (const icon of readdirSync(path.join(checkout, "tools", "package", "icons"))) {
    const size = path.basename(icon, ".png");
    put(
      stage,
      `usr/share/icons/hicolor/${size}/apps/patchbay.png`,
      readFileSync(path.join(checkout, "tools", "package", "icons", icon)),
    );
  }
  const { manPages } = await built("man-pages");
  for (const [name, page] of Object.entries(manPages(day)))
    put(stage, `usr/share/man/man1/${name}.gz`, compressed(page));
  const { bash, zsh, fish } = (await built("completions")).systemCompletions();
  put(stage, "usr/share/bash-completion/completions/patchbay", bash);
  put(stage, "usr/share/zsh/vendor-completions/_patchbay", zsh);
  put(stage, "usr/share/fish/vendor_completions.d/patchbay.fish", fish);
  put(stage, "usr/share/doc/patchbay/copyright", copyrightFile(readFileSync(path.join(checkout, "LICENSE"), "utf8")));
  const mailDate = new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");
  put(stage, "usr/share/doc/patchbay/changelog.gz", compressed(changelogFile({ version, date: mailDate })));
  const changes = readFileSync(path.join(checkout, "CHANGELOG.md"), "utf8");
  put(stage, "usr/share/doc/patchbay/CHANGELOG.md.gz", compressed(changes));
  put(stage, "usr/share/lintian/overrides/patchbay", packaging("lintian-overrides"));
}

/** Sets modes: readable by all, writable by root only, executable bits kept. Only Chromium's sandbox helper is setuid. */
function setFileModes(/** @type {string} */ stage) {
  chmodSync(stage, 0o755);
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) chmodSync(file, 0o755);
    else
      chmodSync(file, /\.(so|so\.\d+|node)$/.test(entry.name) || (lstatSync(file).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
  chmodSync(path.join(stage, APP, "chrome-sandbox"), SETUID);
}

/** @param {string} stage @param {AbortSignal} signal */
async function checksums(stage, signal) {
  const files = readdirSync(path.join(stage, "usr"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(stage, path.join(entry.parentPath, entry.name)))
    .sort();
  const { stdout } = await promisify(execFile)("md5sum", ["--", ...files], { cwd: stage, signal, maxBuffer: 1 << 24 });
  return stdout;
}

/** @param {string} folder */
function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** @param {string} stage @param {string} name @param {string | Buffer} content */
function put(stage, name, content) {
  const file = path.join(stage, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: 0o644 });
}

/** @param {string} name */
function packaging(name) {
  return readFileSync(path.join(PACKAGING, name), "utf8");
}

/** Reads a file that the build generated from the declarations. @param {string} name */
function built(name) {
  return import(pathToFileURL(path.join(checkout, "dist", "cli-docs", `${name}.js`)).href);
}

/** Compresses without name and time in the header, as Debian requires. @param {string} text */
function compressed(text) {
  return gzipSync(text, { level: 9 });
}
