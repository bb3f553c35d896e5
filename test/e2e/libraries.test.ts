import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notNeeded, runtimeLibraries } from "../../tools/setup/runtime-libraries.mjs";
import { launchApp } from "../support/app.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { askedOfLoader, type LoadedLibrary } from "../support/loaded-libraries.ts";
import { until } from "../support/until.ts";

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

/** What a library of the system asks for comes with that library's own package. */
const SYSTEM = /^\/(usr\/)?lib\/[a-z0-9_]+-linux-gnu\//;
/** Of Electron itself. */
const BROUGHT = /^(libffmpeg\.so|libvulkan\.so\.1|libEGL\.so|libGLESv2\.so)$/;

/** On GNOME Electron opens that desktop's keychain, for what pages store encrypted. */
for (const name of ["", "GNOME"]) {
  test(`all that the app loads is in the list of its libraries (desktop: "${name}")`, {
    tags: name === "" ? [] : ["slow"],
  }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "loader-"));
    try {
      const asked = await librariesOfARun(folder, name);
      const own = asked.filter(({ by }) => !SYSTEM.test(by));
      const found = new Set(own.map(({ file }) => file).filter((file) => !file.includes("/")));
      // What it shows is the app's own doing, not an empty trace.
      expect([...found]).toEqual(expect.arrayContaining(["libgtk-3.so.0", "libX11-xcb.so.1", "libnotify.so.4"]));
      const declared = new Set<string>(
        runtimeLibraries.flatMap(({ libraries }: { libraries: readonly string[] }) => [...libraries]),
      );
      const unknown = [...found].filter((file) => !declared.has(file) && !(file in notNeeded) && !BROUGHT.test(file));
      expect(unknown).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Start, tray, notifications, keychain, file dialogs, printing, sound, WebGL, and the end. */
async function librariesOfARun(folder: string, name: string): Promise<LoadedLibrary[]> {
  const env = { LD_DEBUG: "files", LD_DEBUG_OUTPUT: path.join(folder, "asked"), XDG_CURRENT_DESKTOP: name };
  await using app = await launchApp({ env });
  const page = await app.window();
  await desktop.trayItem(app.pid);
  expect(await app.call("notify", { title: "loaded" })).toEqual({ shown: true, by: "native" });
  // By then it has asked the keychain.
  await until("the start's end", () => app.output.includes(app.relay.url));
  await app.electron.evaluate(async ({ BrowserWindow, dialog, Notification, safeStorage, shell }) => {
    if (Notification.isSupported()) new Notification({ title: "through libnotify" }).show();
    safeStorage.isEncryptionAvailable();
    shell.beep();
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) throw new Error("there is no window");
    void dialog.showOpenDialog({});
    void dialog.showSaveDialog({});
    await window.webContents.getPrintersAsync();
    await new Promise<void>((resolve) => window.webContents.print({ silent: true }, () => resolve()));
    await window.webContents.printToPDF({});
  });
  const drawn = await page.evaluate(async () => {
    const graphics = document.createElement("canvas").getContext("webgl2");
    const sound = new AudioContext();
    const tone = sound.createOscillator();
    tone.connect(sound.destination);
    tone.start();
    await sound.resume();
    const from = sound.currentTime;
    while (sound.currentTime <= from) await new Promise((resolve) => setTimeout(resolve, 50));
    return graphics !== null;
  });
  expect(drawn).toBe(true);
  await app.stop();
  return await askedOfLoader(folder);
}
