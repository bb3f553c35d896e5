import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { SetUpError } from "../setup/set-up-error.mjs";

/** npm's settings for registries and network; all others are preferences of the machine's owner. */
const NPM_SETTING =
  /^\s*(registry|@[^:=\s]+:registry|proxy|https-proxy|noproxy|no-proxy|strict-ssl|ca|ca\[\]|\/\/\S+?:\w+)\s*=/;
const NPM_VARIABLE = /^npm_config_(registry|proxy|https_proxy|noproxy|strict_ssl)$/i;
const NETWORK_VARIABLE = /^((https?|all|no)_proxy|electron_mirror)$/i;
/** Files that may contain this machine's certificate authorities. */
const CERTIFICATE_VARIABLES = ["NODE_EXTRA_CA_CERTS", "npm_config_cafile", "NPM_CONFIG_CAFILE", "SSL_CERT_FILE"];
const CERTIFICATES = "/usr/local/share/fresh-machine.crt";
const APT_PLACES = [
  "sources.list",
  "sources.list.d",
  "auth.conf",
  "auth.conf.d",
  "trusted.gpg",
  "trusted.gpg.d",
  "keyrings",
];

/**
 * Installs Node with npm and this machine's network settings into a bare root (npm's settings, apt's sources with their
 * keys, proxies, certificate authorities). The files are removed with the root. Returns the environment for its programs.
 * @param {string} root folder
 * @returns {Record<string, string>}
 */
export function installNetworkSettings(root) {
  copyNode(root);
  copyApt(root);
  const settings = npmSettings();
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && value !== "" && (NPM_VARIABLE.test(name) || NETWORK_VARIABLE.test(name))
        ? [[name, value]]
        : [],
    ),
  );
  const authorities = certificates(settings.cafiles);
  if (authorities !== "") {
    put(root, CERTIFICATES, authorities);
    settings.lines.push(`cafile=${CERTIFICATES}`);
    env.NODE_EXTRA_CA_CERTS = CERTIFICATES;
  }
  put(root, "/usr/local/etc/npmrc", `${settings.lines.join("\n")}\n`);
  return env;
}

/** @param {string} root */
function copyNode(root) {
  const bin = path.join(root, "usr/local/bin");
  copyFileSync(process.execPath, path.join(bin, "node"));
  const modules = path.join(root, "usr/local/lib/node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(npmFolder(), path.join(modules, "npm"), { recursive: true });
  rmSync(path.join(modules, "npm/npmrc"), { force: true });
  for (const name of ["npm", "npx"]) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(bin, name));
}

function npmFolder() {
  const script = process.env.npm_execpath;
  const besideNode = path.resolve(path.dirname(process.execPath), "../lib/node_modules/npm");
  const folder = script?.endsWith("npm-cli.js") ? path.resolve(path.dirname(script), "..") : besideNode;
  if (!existsSync(path.join(folder, "bin/npm-cli.js"))) throw new SetUpError(`There is no npm in ${folder}.`);
  return folder;
}

/** Copies apt's sources, keys and network settings; hooks before and after installing stay out. @param {string} root */
function copyApt(root) {
  for (const place of APT_PLACES) {
    const from = path.join("/etc/apt", place);
    const to = path.join(root, from);
    rmSync(to, { recursive: true, force: true });
    if (existsSync(from)) cpSync(from, to, { recursive: true, dereference: true });
  }
  if (existsSync("/usr/share/keyrings"))
    cpSync("/usr/share/keyrings", path.join(root, "usr/share/keyrings"), { recursive: true, dereference: true });
  for (const name of readdirSync("/etc/apt/apt.conf.d")) {
    const file = path.join("/etc/apt/apt.conf.d", name);
    const lines = aptSettings(readFileSync(file, "utf8"));
    if (lines.length === 0) continue;
    put(root, file, `${lines.join("\n")}\n`);
    for (const [, named = ""] of lines.join("\n").matchAll(/"(\/[^"]+)"/g))
      if (existsSync(named)) put(root, named, readFileSync(named, "utf8"));
  }
}

/** Returns the network settings of npm's files, and the certificate files that they name. */
function npmSettings() {
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const cafiles = [];
  for (const which of ["globalconfig", "userconfig"]) {
    const { stdout } = spawnSync("npm", ["config", "get", which], { encoding: "utf8", cwd: "/" });
    const file = stdout?.trim();
    if (!file || !existsSync(file)) continue;
    const found = networkSettings(readFileSync(file, "utf8"));
    lines.push(...found.lines);
    cafiles.push(...found.cafiles);
  }
  return { lines, cafiles };
}

/** Returns the network settings of an npmrc. @param {string} text */
export function networkSettings(text) {
  const all = text.split("\n");
  return {
    lines: all.filter((line) => NPM_SETTING.test(line)).map((line) => line.trim()),
    cafiles: all.flatMap((line) => /^\s*cafile\s*=\s*"?([^"]+?)"?\s*$/.exec(line)?.[1] ?? []),
  };
}

/** Returns apt's network settings without its hooks. @param {string} text */
export function aptSettings(text) {
  return text.split("\n").filter((line) => /^\s*Acquire::[^{}]*;\s*$/.test(line));
}

/** @param {readonly string[]} more files */
function certificates(more) {
  const files = [...CERTIFICATE_VARIABLES.map((name) => process.env[name]), ...more];
  const texts = files.flatMap((file) => (file && existsSync(file) ? [readFileSync(file, "utf8").trim()] : []));
  return [...new Set(texts)].join("\n");
}

/** @param {string} root @param {string} file absolute, in the root @param {string} text */
function put(root, file, text) {
  const place = path.join(root, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text, { mode: 0o644 });
}
