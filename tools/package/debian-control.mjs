import { debianDependency, runtimeLibraries } from "../setup/runtime-libraries.mjs";

const DEPENDS = runtimeLibraries.filter(({ optional }) => !optional).map(debianDependency);
/** Recommended packages: sound, graphics, browser links, a keychain, the fast command line. */
const RECOMMENDS = [
  ...runtimeLibraries.filter(({ optional }) => optional).map(debianDependency),
  "xdg-utils",
  "gnome-keyring | kwalletmanager",
  "notification-daemon",
  "curl",
];

const MAINTAINER = "The Patchbay authors <maintainers@patchbay.dev>";

/**
 * The package's control file (Debian Policy 5.3).
 * @param {{ version: string, architecture: string, kilobytes: number }} facts
 */
export function controlFile({ version, architecture, kilobytes }) {
  return [
    "Package: patchbay",
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${DEPENDS.join(", ")}`,
    `Recommends: ${RECOMMENDS.join(", ")}`,
    "Section: utils",
    "Priority: optional",
    "Description: live terminal sessions that programs and people share",
    " Patchbay lives in the tray and keeps live terminal sessions on this computer:",
    " shells in tiles, which you, your scripts, AI agents and people whom you invite",
    " can see and use together.",
    " .",
    " It brings a desktop app, a command line and an HTTP interface to every one of",
    " its actions. Nothing leaves this computer unless you say so.",
    "",
  ].join("\n");
}

/**
 * The changelog in Debian's form (Debian Policy 4.4), which names the location of the full one.
 * @param {{ version: string, date: string }} facts `date`: as in a mail's head
 */
export function changelogFile({ version, date }) {
  return [
    `patchbay (${debianVersion(version)}) unstable; urgency=medium`,
    "",
    "  * What is new is in CHANGELOG.md.gz.",
    "",
    ` -- ${MAINTAINER}  ${date}`,
    "",
  ].join("\n");
}

/** In Debian's order `1.0.0~beta.1` precedes `1.0.0`. @param {string} version */
export function debianVersion(version) {
  return version.replace("-", "~");
}

/** Returns Debian's name of an architecture. @param {NodeJS.Architecture} arch */
export function debianArchitecture(arch) {
  switch (arch) {
    case "x64":
      return "amd64";
    case "arm":
      return "armhf";
    default:
      return arch;
  }
}

/** /usr/share/doc/patchbay/copyright (Debian Policy 12.5). @param {string} license text of ours */
export function copyrightFile(license) {
  const body = license
    .trim()
    .split("\n")
    .map((line) => (line.trim() === "" ? " ." : ` ${line}`));
  return [
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
    "Upstream-Name: Patchbay",
    "",
    "Files: *",
    "Copyright: The Patchbay authors",
    "License: Expat",
    ...body.slice(1),
    "Comment: The licences of everything else that is in the package are in",
    " /usr/lib/patchbay/resources/licenses.txt, those of Electron and Chromium in",
    " /usr/lib/patchbay/LICENSE.electron.txt and LICENSES.chromium.html.",
    "",
  ].join("\n");
}
