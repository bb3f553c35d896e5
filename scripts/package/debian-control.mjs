/**
 * What the app loads on a Debian or Ubuntu, found with `objdump -p`; test/package sees that a bare system then has all of
 * it. Ubuntu's newer names (`…t64`) provide these.
 */
const DEPENDS = [
  "libc6 (>= 2.28)",
  "libasound2",
  "libatk-bridge2.0-0",
  "libatk1.0-0",
  "libatspi2.0-0",
  "libcairo2",
  "libcups2",
  "libdbus-1-3",
  "libdrm2",
  "libexpat1",
  "libgbm1",
  "libgcc-s1",
  "libglib2.0-0",
  "libgtk-3-0",
  "libnspr4",
  "libnss3",
  "libpango-1.0-0",
  "libudev1",
  "libx11-6",
  "libxcb1",
  "libxcomposite1",
  "libxdamage1",
  "libxext6",
  "libxfixes3",
  "libxkbcommon0",
  "libxrandr2",
];
/** Things that work without: links to a browser, keys in a keychain, a quick command line, the question for a tray. */
const RECOMMENDS = ["xdg-utils", "gnome-keyring | kwalletmanager", "curl", "dbus-bin | dbus"];

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
 * The changelog in Debian's form (Debian Policy 4.4), which says where the one for readers lies.
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

/** In Debian's order `1.0.0~beta.1` comes before `1.0.0`. @param {string} version */
export function debianVersion(version) {
  return version.replace("-", "~");
}

/** Debian's names of the machines. @param {NodeJS.Architecture} arch */
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
