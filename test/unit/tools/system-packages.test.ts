import { expect, test } from "vitest";
import { runtimeLibraries } from "../../../tools/setup/runtime-libraries.mjs";
import { aptInstall, installableNames, missingNeeds, neededFor } from "../../../tools/setup/system-packages.mjs";

type Need = { packages: readonly string[] };

function firstNames(needs: readonly Need[]): (string | undefined)[] {
  return needs.map(({ packages }) => packages[0]);
}

const desktop = { DISPLAY: ":0", DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus" };

test("a start on a desktop asks for no virtual display, bus or browser", () => {
  const names = firstNames(neededFor("start", desktop, false));
  expect(names).toContain("libgtk-3-0");
  for (const name of ["xvfb", "dbus", "gnome-keyring", "chromium"]) expect(names).not.toContain(name);
});

test("a start without a desktop brings its display, its bus and its keychain", () => {
  expect(firstNames(neededFor("start", {}, false))).toEqual(expect.arrayContaining(["xvfb", "dbus", "gnome-keyring"]));
});

test("every library of the list is installed, and what only tests run only for tests", () => {
  const start = firstNames(neededFor("start", desktop, true));
  expect(start).toEqual(runtimeLibraries.map(({ packages }: Need) => packages[0]));
  expect(start).toContain("libnotify4");
  const programs = ["zsh", "fish", "busybox", "curl", "openssl", "vim"];
  expect(start.filter((name) => programs.includes(String(name)))).toEqual([]);
  expect(firstNames(neededFor("test", desktop, true))).toEqual(expect.arrayContaining(programs));
});

test("without apt's lists the release decides about a name", () => {
  const needs = [{ packages: ["libasound2", "libasound2t64"] }, { packages: ["xvfb"] }];
  const on = (release: string) => installableNames(needs, "", release)[0];
  expect(on('ID=debian\nVERSION_ID="12"\n')).toBe("libasound2");
  expect(on('ID=debian\nVERSION_ID="13"\n')).toBe("libasound2t64");
  expect(on('NAME="Ubuntu"\nVERSION_ID="22.04"\nID=ubuntu\n')).toBe("libasound2");
  expect(on('NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\n')).toBe("libasound2t64");
  expect(on("")).toBe("libasound2");
});

test("Wayland is a display too", () => {
  expect(firstNames(neededFor("start", { WAYLAND_DISPLAY: "wayland-0" }, false))).not.toContain("xvfb");
});

test("tests bring a desktop of their own even where there is one, and a browser only where there is none", () => {
  expect(firstNames(neededFor("test", desktop, false))).toEqual(expect.arrayContaining(["xvfb", "dbus", "chromium"]));
  expect(firstNames(neededFor("test", desktop, true))).not.toContain("chromium");
});

test("a package that dpkg does not know, or has only configured, is missing", () => {
  const needs = neededFor("start", desktop, true);
  const states = "libgtk-3-0 installed\nlibnss3 config-files\nlibgbm1:amd64 installed\n";
  const missing = firstNames(missingNeeds(needs, states));
  expect(missing).toContain("libnss3");
  expect(missing).toContain("libasound2");
  expect(missing).not.toContain("libgtk-3-0");
  expect(missing).not.toContain("libgbm1");
});

test("either name of a package that was renamed for the 64-bit time satisfies the need", () => {
  const needs = [{ packages: ["libasound2", "libasound2t64"] }];
  expect(missingNeeds(needs, "libasound2t64 installed\n")).toEqual([]);
});

test("apt is asked for the name that this release has, in one command", () => {
  const needs = [{ packages: ["libasound2", "libasound2t64"] }, { packages: ["xvfb"] }];
  expect(aptInstall(installableNames(needs, "libasound2t64\nlibnss3\n"))).toEqual([
    "apt-get",
    "install",
    "-y",
    "-qq",
    "--no-install-recommends",
    "libasound2t64",
    "xvfb",
  ]);
  expect(installableNames(needs, "libasound2\n")).toEqual(["libasound2", "xvfb"]);
});
