import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { chromiumExecutable } from "./chromium.mjs";
import { run } from "./run.mjs";
import { runtimeLibraries } from "./runtime-libraries.mjs";
import { SetUpError } from "./set-up-error.mjs";

const APT_LISTS = "/var/lib/apt/lists";

/**
 * @typedef {object} Need something that must be there outside npm
 * @property {string} why
 * @property {readonly string[]} packages Debian names for it, any of which will do
 * @property {string} [group] what stands for many of a kind in one sentence
 * @property {string} sign what shows on other systems that it is there: a program, or a library `lib….so.N`
 */

/** @type {readonly Need[]} */
const windowNeeds = runtimeLibraries.map(({ packages, libraries: [sign = ""], why }) => ({
  group: "the app's libraries",
  why,
  packages,
  sign,
}));
/** @type {readonly Need[]} */
const displayNeeds = [{ why: "a virtual display", packages: ["xvfb"], sign: "Xvfb" }];
/** @type {readonly Need[]} */
const busNeeds = [
  { why: "a session bus", packages: ["dbus"], sign: "dbus-daemon" },
  { why: "the keychain of a virtual desktop", packages: ["gnome-keyring"], sign: "gnome-keyring-daemon" },
];
/** @type {readonly Need[]} */
const browserNeeds = [{ why: "the browser tests", packages: ["chromium"], sign: "chromium" }];

/** Programs that tests run, so that none is skipped for want of one. @type {readonly Need[]} */
const programNeeds = [
  { why: "the full-screen program of the browser tests", packages: ["vim"], sign: "vim" },
  { why: "the tests of shells", packages: ["zsh"], sign: "zsh" },
  { why: "the tests of shells", packages: ["fish"], sign: "fish" },
  { why: "the tests of shells", packages: ["busybox"], sign: "busybox" },
  { why: "the tests of the command line", packages: ["curl"], sign: "curl" },
  { why: "the tests of processes", packages: ["procps"], sign: "ps" },
  { why: "the tests of agents in panes", packages: ["tmux"], sign: "tmux" },
  { why: "the tests of agents in sandboxes", packages: ["bubblewrap"], sign: "bwrap" },
  { why: "the tests of the fleet", packages: ["nats-server"], sign: "nats-server" },
  { why: "the tests of the fleet's network", packages: ["iproute2"], sign: "ip" },
  { why: "the tests of certificates", packages: ["openssl"], sign: "openssl" },
];

/**
 * Ensures that the system has the packages for a window, a keychain and, for tests, a browser. Installs missing ones if
 * possible without asking (root on Debian or Ubuntu); otherwise throws a SetUpError with the exact command.
 * @param {"start" | "test"} purpose
 * @param {import("./run.mjs").Context} context
 */
export async function installSystemPackages(purpose, { log, signal }) {
  if (process.platform !== "linux") return;
  const needs = neededFor(purpose, process.env, chromiumExecutable() !== undefined);
  if (!existsSync("/usr/bin/dpkg-query")) return requireSigns(needs);

  const missing = missingNeeds(needs, dpkgStates(needs));
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot)
    throw new SetUpError(
      `Patchbay needs ${reasons(missing)}. Install it, then run again:\n\n  ${installCommand(missing)}\n`,
    );

  log(`installing system packages for ${reasons(missing)}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (/** @type {readonly string[]} */ [command = "", ...args]) =>
    run(command, args, { signal, env, stdio: ["ignore", "ignore", "inherit"] });
  // Missing or outdated lists name versions that no longer exist, so the second attempt updates them first.
  if ((await apt(aptInstall(names(missing)))) === 0) return;
  log("apt-get failed with the package lists that are there; updating them");
  await apt(["apt-get", "update", "-qq"]);
  if ((await apt(aptInstall(names(missing)))) === 0) return;
  throw new SetUpError(
    `The system packages could not be installed; apt-get says above why. What was tried:\n\n  ${aptInstall(names(missing)).join(" ")}\n`,
  );
}

/**
 * What this purpose needs on this desktop: tests bring their own display and bus; a start only where there is none.
 * @param {"start" | "test"} purpose
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} hasBrowser
 * @returns {Need[]}
 */
export function neededFor(purpose, env, hasBrowser) {
  const isTest = purpose === "test";
  return [
    ...windowNeeds,
    ...(isTest || !(env.DISPLAY || env.WAYLAND_DISPLAY) ? displayNeeds : []),
    ...(isTest || !env.DBUS_SESSION_BUS_ADDRESS ? busNeeds : []),
    ...(isTest && !hasBrowser ? browserNeeds : []),
    ...(isTest ? programNeeds : []),
  ];
}

/**
 * @param {readonly Need[]} needs
 * @param {string} states a line `name state` for every package that dpkg knows
 */
export function missingNeeds(needs, states) {
  const installed = new Set(
    states.split("\n").flatMap((line) => (line.endsWith(" installed") ? [line.split(/[ :]/)[0]] : [])),
  );
  return needs.filter(({ packages }) => !packages.some((name) => installed.has(name)));
}

/**
 * @param {readonly string[]} packages
 * @returns {string[]}
 */
export function aptInstall(packages) {
  return ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages];
}

/**
 * The name of each missing package on this release: the first one that apt can install. Since the 64-bit time change
 * (Debian 13, Ubuntu 24.04) some carry the ending t64 and the old name is only a virtual one. Without apt's lists the
 * release decides.
 * @param {readonly Pick<Need, "packages">[]} missing
 * @param {string} known names of real packages, one a line
 * @param {string} release the text of /etc/os-release
 */
export function installableNames(missing, known, release = "") {
  const real = new Set(known.split("\n"));
  const newest = hasLongTime(release);
  return missing.map(({ packages }) => {
    const [oldest = "", renamed = oldest] = packages;
    return packages.find((name) => real.has(name)) ?? (newest ? renamed : oldest);
  });
}

/** @param {string} release */
function hasLongTime(release) {
  const version = Number(/^VERSION_ID="?([\d.]+)/m.exec(release)?.[1] ?? 0);
  return /^ID=ubuntu/m.test(release) ? version >= 24.04 : /^ID=debian/m.test(release) && version >= 13;
}

/**
 * Returns the command for a user with root rights, which fetches missing lists first.
 * @param {readonly Need[]} missing
 */
function installCommand(missing) {
  const update = hasLists() ? "" : "sudo apt-get update && ";
  return `${update}sudo ${aptInstall(names(missing)).join(" ")}`;
}

/** @param {readonly Need[]} missing */
function names(missing) {
  return installableNames(missing, knownPackages(), releaseFile());
}

/** Names of libraries that apt can install, one a line; empty where its lists are missing. */
function knownPackages() {
  // Without lists it still names what is installed.
  return hasLists() ? (spawnSync("apt-cache", ["pkgnames", "lib"], { encoding: "utf8" }).stdout ?? "") : "";
}

function hasLists() {
  return existsSync(APT_LISTS) && readdirSync(APT_LISTS).some((name) => name.includes("_Packages"));
}

function releaseFile() {
  return existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
}

/** @param {readonly Need[]} needs */
function dpkgStates(needs) {
  // It fails if one name is unknown, but still reports the others.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own format
  const format = "${Package} ${db:Status-Status}\n";
  return spawnSync("dpkg-query", ["-W", "-f", format, ...needs.flatMap(({ packages }) => packages)], {
    encoding: "utf8",
  }).stdout;
}

/**
 * On a Linux without dpkg packages can only be checked, not installed.
 * @param {readonly Need[]} needs
 */
function requireSigns(needs) {
  const libraries = spawnSync("ldconfig", ["-p"], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${process.env.PATH}:/sbin:/usr/sbin` },
  }).stdout;
  const missing = needs.filter(
    ({ sign }) => !(sign.startsWith("lib") ? hasLibrary(libraries, sign) : hasProgram(sign)),
  );
  if (missing.length === 0) return;
  const list = missing
    .map(({ why, sign, packages }) => `  ${sign} (${why}; Debian's package ${packages[0]})`)
    .join("\n");
  throw new SetUpError(
    `Patchbay needs what follows; install it with this system's package tool, then run again:\n\n${list}\n`,
  );
}

/** @param {string | undefined} libraries output of ldconfig, undefined where there is none @param {string} name */
function hasLibrary(libraries, name) {
  return libraries === undefined || libraries === null || libraries.includes(`\t${name} `);
}

/** @param {string} name */
function hasProgram(name) {
  return (process.env.PATH ?? "").split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}

/** @param {readonly Need[]} needs */
function reasons(needs) {
  const list = [...new Set(needs.map(({ group, why }) => group ?? why))];
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
}
