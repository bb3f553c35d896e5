import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { geminiHooks, planConnect, planDisconnect } from "../../../cli/connect/agent-settings.ts";
import { opencodeLoader } from "../../../cli/connect/opencode-plugin-file.ts";

/** A hook that holds an agent up for longer than this is noticed. */
const SOON_MS = 5_000;

let home: string;
let settings: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-removed-"));
  settings = join(home, "settings.json");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface ConnectedSettings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
  readonly statusLine: { readonly command: string };
}

/** Runs a command of the settings as an agent does, after Patchbay was removed. */
function run(command: string, env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    env: { PATH: process.env.PATH, HOME: home, ...env },
    input: '{"hook_event_name":"Stop"}',
    encoding: "utf8",
    timeout: SOON_MS,
  });
  return { status, stdout, stderr };
}

/** The surroundings of an agent: outside of Patchbay, and in a shell that has outlived the data folder, or its script. */
const places = {
  "outside of Patchbay's shells": () => ({}),
  "in a shell whose data folder is gone": () => ({ PATCHBAY_DATA: join(home, "gone"), SERVICE_TOKEN: "pb_x" }),
  "in a shell whose data folder is empty": () => {
    mkdirSync(join(home, "data"));
    return { PATCHBAY_DATA: join(home, "data"), SERVICE_TOKEN: "pb_x" };
  },
};

describe("what connecting agents leaves in the users' settings when the package is removed", () => {
  test.each(Object.entries(places))("%s hooks do nothing, and at once", (_where, place) => {
    planConnect(settings).apply();
    planConnect(settings, { hooks: geminiHooks }).apply();
    const { hooks } = JSON.parse(readFileSync(settings, "utf8")) as ConnectedSettings;
    const commands = new Set(
      Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks.map(({ command }) => command))),
    );
    expect(commands.size).toBe(3);
    const env = place();
    for (const command of commands) expect(run(command, env)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test.each(Object.entries(places))("%s a status line is what it was before", (_where, place) => {
    writeFileSync(settings, JSON.stringify({ statusLine: { type: "command", command: "tr a-z A-Z" } }));
    planConnect(settings, { statusLine: true }).apply();
    const { statusLine } = JSON.parse(readFileSync(settings, "utf8")) as ConnectedSettings;
    expect(run(statusLine.command, place())).toEqual({
      status: 0,
      stdout: '{"HOOK_EVENT_NAME":"STOP"}',
      stderr: "",
    });
  });

  test.each(Object.entries(places))("%s opencode's plugin has no part in it", async (_where, place) => {
    const file = join(home, "patchbay.mjs");
    writeFileSync(file, opencodeLoader);
    const script = `import(${JSON.stringify(pathToFileURL(file).href)}).then(({ Patchbay }) => Patchbay({})).then((hooks) => console.log(JSON.stringify(hooks)))`;
    expect(run(`'${process.execPath}' -e '${script}'`, place())).toEqual({ status: 0, stdout: "{}\n", stderr: "" });
  });

  test("without Patchbay's files, disconnecting still finds what it has to remove", () => {
    planConnect(settings, { statusLine: true }).apply();
    planDisconnect(settings).apply();
    expect(() => readFileSync(settings)).toThrow(/ENOENT/);
  });
});
