import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "../setup/checkout.mjs";
import { runModule } from "../setup/run.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { unpackedFolder } from "./unpacked.mjs";

const MAIN = `const { app, BrowserWindow } = require("electron");
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false });
  window.once("ready-to-show", () => window.show());
  window.loadFile("index.html");
});
`;
const FILES = {
  "package.json": JSON.stringify({ name: "empty", version: "1.0.0", author: "-", description: "-", main: "main.js" }),
  "main.js": MAIN,
  "index.html": "<!doctype html><title>Empty</title><p>One line of text.",
  // Only the measured part of Patchbay's configuration.
  "electron-builder.json": JSON.stringify({
    appId: "dev.patchbay.empty",
    productName: "Empty",
    directories: { output: "release" },
    files: ["package.json", "main.js", "index.html"],
    electronLanguages: ["en-US"],
    asar: true,
    npmRebuild: false,
    publish: null,
    linux: { executableName: "empty", target: ["dir"] },
  }),
};

/**
 * Packs an app with one window and a line of text, as Patchbay is packed. Returns its unpacked folder.
 * @param {string} folder that it is made in
 * @param {{ runtime: import("../setup/electron-runtime.mjs").ElectronRuntime, signal: AbortSignal }} context
 */
export async function packEmptyApp(folder, { runtime, signal }) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
  const args = ["--linux", "dir", "--publish", "never", "--projectDir", folder];
  const electron = [`-c.electronDist=${runtime.dist}`, `-c.electronVersion=${runtime.version}`];
  const code = await runModule("electron-builder/cli.js", [...args, ...electron], { signal, cwd: checkout });
  if (code !== 0) throw new SetUpError(`electron-builder failed with ${code}.`);
  return unpackedFolder(folder);
}
