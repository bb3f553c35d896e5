/**
 * @typedef {object} RuntimeLibrary
 * @property {readonly string[]} libraries names that the dynamic loader is asked for
 * @property {readonly string[]} packages Debian's names of the package, the newest release's last: since the 64-bit time
 *   change (Debian 13, Ubuntu 24.04) some end in t64
 * @property {string} why what does not work without it
 * @property {"linked" | "loaded"} how linked: the app does not start without it; loaded: the app opens it while it runs,
 *   which no list of linked libraries shows
 * @property {true} [optional] the app works without it, if not as well
 * @property {string} [version] the least that does
 */

/**
 * Every library outside the app that it loads at run time on Linux, with the reason: the only list of them. The set-up
 * installs them, the Debian package depends on them, docs/install.md prints them, and test/e2e/libraries.test.ts compares
 * them with the requests of the running app to the dynamic loader.
 * @type {readonly RuntimeLibrary[]}
 */
export const runtimeLibraries = [
  {
    libraries: ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1"],
    packages: ["libc6"],
    version: "2.28",
    why: "everything",
    how: "linked",
  },
  { libraries: ["libgcc_s.so.1"], packages: ["libgcc-s1"], why: "everything", how: "linked" },
  { libraries: ["libstdc++.so.6"], packages: ["libstdc++6"], why: "shells (pseudo-terminals)", how: "linked" },
  {
    libraries: ["libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0"],
    packages: ["libglib2.0-0", "libglib2.0-0t64"],
    why: "windows",
    how: "linked",
  },
  {
    libraries: ["libgtk-3.so.0", "libgdk-3.so.0"],
    packages: ["libgtk-3-0", "libgtk-3-0t64"],
    why: "windows, menus and file dialogs",
    how: "linked",
  },
  { libraries: ["libpango-1.0.so.0"], packages: ["libpango-1.0-0"], why: "text", how: "linked" },
  { libraries: ["libcairo.so.2"], packages: ["libcairo2"], why: "drawing", how: "linked" },
  { libraries: ["libX11.so.6"], packages: ["libx11-6"], why: "windows on X11", how: "linked" },
  { libraries: ["libX11-xcb.so.1"], packages: ["libx11-xcb1"], why: "windows on X11", how: "loaded" },
  { libraries: ["libxcb.so.1"], packages: ["libxcb1"], why: "windows on X11", how: "linked" },
  { libraries: ["libXcomposite.so.1"], packages: ["libxcomposite1"], why: "windows on X11", how: "linked" },
  { libraries: ["libXdamage.so.1"], packages: ["libxdamage1"], why: "windows on X11", how: "linked" },
  { libraries: ["libXext.so.6"], packages: ["libxext6"], why: "windows on X11", how: "linked" },
  { libraries: ["libXfixes.so.3"], packages: ["libxfixes3"], why: "windows on X11", how: "linked" },
  { libraries: ["libXrandr.so.2"], packages: ["libxrandr2"], why: "screens on X11", how: "linked" },
  { libraries: ["libxkbcommon.so.0"], packages: ["libxkbcommon0"], why: "keyboards", how: "linked" },
  { libraries: ["libdrm.so.2"], packages: ["libdrm2"], why: "graphics", how: "linked" },
  { libraries: ["libgbm.so.1"], packages: ["libgbm1"], why: "graphics", how: "linked" },
  { libraries: ["libudev.so.1"], packages: ["libudev1"], why: "devices", how: "linked" },
  { libraries: ["libexpat.so.1"], packages: ["libexpat1"], why: "fonts", how: "linked" },
  {
    libraries: ["libatk-1.0.so.0"],
    packages: ["libatk1.0-0", "libatk1.0-0t64"],
    why: "screen readers",
    how: "linked",
  },
  {
    libraries: ["libatk-bridge-2.0.so.0"],
    packages: ["libatk-bridge2.0-0", "libatk-bridge2.0-0t64"],
    why: "screen readers",
    how: "linked",
  },
  {
    libraries: ["libatspi.so.0"],
    packages: ["libatspi2.0-0", "libatspi2.0-0t64"],
    why: "screen readers",
    how: "linked",
  },
  { libraries: ["libasound.so.2"], packages: ["libasound2", "libasound2t64"], why: "sound", how: "linked" },
  { libraries: ["libcups.so.2"], packages: ["libcups2", "libcups2t64"], why: "printing", how: "linked" },
  { libraries: ["libdbus-1.so.3"], packages: ["libdbus-1-3"], why: "the tray icon", how: "linked" },
  {
    libraries: ["libnss3.so", "libnssutil3.so", "libsmime3.so"],
    packages: ["libnss3"],
    why: "certificates",
    how: "linked",
  },
  { libraries: ["libnspr4.so"], packages: ["libnspr4"], why: "certificates", how: "linked" },
  {
    libraries: ["libnotify.so.4"],
    packages: ["libnotify4"],
    why: "Electron's native notifications, used where the session bus is not at a Unix socket",
    how: "loaded",
  },
  {
    libraries: ["libsecret-1.so.0"],
    packages: ["libsecret-1-0"],
    why: "the keychain of GNOME and relatives, for what pages store encrypted",
    how: "loaded",
  },
  {
    libraries: ["libpulse.so.0"],
    packages: ["libpulse0"],
    why: "sound over PulseAudio or PipeWire; without it over ALSA",
    how: "loaded",
    optional: true,
  },
  {
    libraries: ["libGL.so.1"],
    packages: ["libgl1"],
    why: "graphics on the machine's own GPU; without it the processor draws",
    how: "loaded",
    optional: true,
  },
  {
    libraries: ["libva.so.2"],
    packages: ["libva2"],
    why: "video decoded by the GPU; without it by the processor",
    how: "loaded",
    optional: true,
  },
  {
    libraries: ["libva-drm.so.2"],
    packages: ["libva-drm2"],
    why: "video decoded by the GPU, on Wayland",
    how: "loaded",
    optional: true,
  },
  {
    libraries: ["libva-x11.so.2"],
    packages: ["libva-x11-2"],
    why: "video decoded by the GPU, on X11",
    how: "loaded",
    optional: true,
  },
  {
    libraries: ["libpci.so.3"],
    packages: ["libpci3"],
    why: "choosing among several GPUs",
    how: "loaded",
    optional: true,
  },
];

/**
 * Names that the app requests from the loader but does not need.
 * @type {Readonly<Record<string, string>>}
 */
export const notNeeded = {
  "libpci.so": "the developers' name of libpci.so.3, tried when that is missing",
  "libvulkan.so": "the developers' name of libvulkan.so.1, which the app brings",
  "libnotify.so.5": "a version of libnotify that was never released, tried when libnotify.so.4 is missing",
  "libnotify.so.1": "libnotify of before 2010, tried when libnotify.so.4 is missing",
  "libnotify.so": "the developers' name of libnotify.so.4",
};

/** What the Debian package calls a library's package: any of its names will do, the newest release's first. @param {RuntimeLibrary} library */
export function debianDependency({ packages, version }) {
  const least = version === undefined ? "" : ` (>= ${version})`;
  return packages
    .toReversed()
    .map((name) => `${name}${least}`)
    .join(" | ");
}
