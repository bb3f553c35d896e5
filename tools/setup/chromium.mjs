/// <reference lib="dom" />
import { existsSync } from "node:fs";
import path from "node:path";

/** Program names of Chromium and related browsers, in order of preference. */
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/**
 * Returns the browser for the tests: PATCHBAY_CHROMIUM, else an installed one, else undefined.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {(file: string) => boolean} exists
 */
export function chromiumExecutable(env = process.env, platform = process.platform, exists = existsSync) {
  if (env.PATCHBAY_CHROMIUM) return env.PATCHBAY_CHROMIUM;
  return candidates(env, platform).find((file) => exists(file));
}

/**
 * Returns the launch options of a headless browser that draws what users see: with ordinary scroll bars, which Playwright
 * hides by default, and with WebGL, in software where there is no graphics card. Chromium as root needs `sandbox: false`.
 * @param {{ sandbox?: boolean }} [options]
 */
export function ordinaryBrowser({ sandbox = process.getuid?.() !== 0 } = {}) {
  return {
    executablePath: chromiumExecutable() ?? "/usr/bin/chromium",
    ignoreDefaultArgs: ["--hide-scrollbars"],
    args: [
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      ...(sandbox ? [] : ["--no-sandbox"]),
    ],
  };
}

/**
 * Runs in a page before its scripts: gives the software that draws WebGL the name of a graphics card, because terminals
 * draw with the DOM where there is none (renderer/session/terminal/webgl.ts).
 */
export function pretendGraphicsCard() {
  const { prototype } = WebGL2RenderingContext;
  const { getParameter } = prototype;
  prototype.getParameter = function (name) {
    const value = getParameter.call(this, name);
    return typeof value === "string" ? value.replace(/SwiftShader|llvmpipe/g, "card") : value;
  };
}

/** @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform */
function candidates(env, platform) {
  if (platform === "darwin") {
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (platform === "win32") {
    return [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined
        ? []
        : ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"].map(
            (name) => `${folder}\\${name}`,
          ),
    );
  }
  return (env.PATH ?? "").split(":").flatMap((folder) => PROGRAMS.map((name) => path.posix.join(folder, name)));
}
