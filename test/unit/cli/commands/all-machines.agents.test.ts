import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fetchPriceList } from "../../../../cli/commands/agent-prices.ts";
import { agentsCommand } from "../../../../cli/commands/all-machines.ts";
import { claudeHooks, connectionState, geminiHooks, planConnect } from "../../../../cli/connect/agent-settings.ts";
import { claudeHookObstacles } from "../../../../cli/connect/hook-obstacles.ts";
import { opencodeLoader } from "../../../../cli/connect/opencode-plugin-file.ts";
import { MAX_PRICE_LIST } from "../../../../core/protocol/prices.ts";
import { hookScript } from "../../../../main/agents/hooks/hook-script.ts";
import { OPENCODE_PLUGIN_NAME, opencodePlugin } from "../../../../main/agents/hooks/opencode-plugin.ts";
import { HookSigns } from "../../../../main/system/hook-signs.ts";
import { ok, startFakeRelay } from "../fake-relay.ts";
import { runCli } from "../run-cli.ts";

const PATH = process.env.PATH ?? "";
let home: string;
let out: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-agents-cli-"));
  out = "";
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const settingsFile = () => join(home, ".claude", "settings.json");
const read = (file = settingsFile()) => JSON.parse(readFileSync(file, "utf8"));

function run(words: readonly string[], { isTTY = false, answer = "" } = {}) {
  const write = (text: string) => {
    out += text;
  };
  async function* stdin() {
    yield Buffer.from(answer);
  }
  const io = {
    args: [],
    env: { HOME: home, PATCHBAY_DATA: join(home, "data") },
    cwd: join(home, "project"),
    program: "service" as const,
  };
  return agentsCommand({ ...io, stdout: { write, isTTY, columns: 80 }, stderr: { write }, stdin }, words);
}

function given(settings: unknown, mode = 0o644): string {
  mkdirSync(join(home, ".claude"), { recursive: true });
  const text = JSON.stringify(settings, undefined, 4);
  writeFileSync(settingsFile(), text, { mode });
  return text;
}

const own = { matcher: "Bash", hooks: [{ type: "command", command: "my-linter" }] };

test("connect adds the hooks and keeps everything else; disconnect restores what was there", async () => {
  const before = given({ model: "opus", hooks: { PostToolUse: [own], Notification: [own] }, theme: "dark" });
  expect(await run(["connect", "claude", "--yes"])).toBe(0);
  expect(read()).toMatchObject({ model: "opus", theme: "dark", hooks: { Notification: [own] } });
  expect(read().hooks.PostToolUse).toEqual([own, { hooks: [claudeHooks.PostToolUse] }]);
  expect(Object.keys(read().hooks).sort()).toEqual([...Object.keys(claudeHooks), "Notification"].sort());
  expect(statSync(settingsFile()).mode & 0o777).toBe(0o644);
  expect(await run(["disconnect", "claude"])).toBe(0);
  expect(readFileSync(settingsFile(), "utf8").trim()).toBe(before);
  expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
});

test("connecting twice changes nothing, and repairs what is missing or old", async () => {
  await run(["connect", "claude", "--yes"]);
  const first = readFileSync(settingsFile(), "utf8");
  await run(["connect", "claude", "--yes"]);
  expect(readFileSync(settingsFile(), "utf8")).toBe(first);
  const settings = read();
  settings.hooks.Stop = [];
  settings.hooks.PermissionRequest[0].hooks[0].timeout = 5;
  given(settings);
  expect(connectionState(settingsFile())).toBe("incomplete");
  await run(["connect", "claude", "--yes"]);
  expect(JSON.stringify(read().hooks)).toBe(JSON.stringify(JSON.parse(first).hooks));
});

test("without a file there is none after the disconnection either", async () => {
  await run(["connect", "claude", "--yes"]);
  expect(statSync(settingsFile()).mode & 0o777).toBe(0o600);
  await run(["disconnect", "claude"]);
  expect(existsSync(settingsFile())).toBe(false);
});

describe("the status line", () => {
  const connect = ["connect", "claude", "--status-line", "--yes"];
  const shown = (env: Record<string, string> = {}) =>
    spawnSync("sh", ["-c", read().statusLine.command], { input: '{"a":1}', encoding: "utf8", env: { PATH, ...env } })
      .stdout;

  test("its own program goes on to get the input, inside and outside of a shell, and is restored", async () => {
    const before = given({ statusLine: { type: "command", command: 'tr a b; printf "\'"', padding: 2 } });
    expect(await run(connect)).toBe(0);
    expect(out).toContain("Sets this status line");
    expect(read().statusLine).toMatchObject({ type: "command", padding: 2 });
    writeFileSync(join(home, "agent-hook"), hookScript);
    for (const env of [{}, { PATCHBAY_DATA: home }]) expect(shown(env).replace("\n", "")).toBe('{"b":1}\'');
    const first = readFileSync(settingsFile(), "utf8");
    await run(connect);
    expect(readFileSync(settingsFile(), "utf8")).toBe(first);
    await run(["disconnect", "claude"]);
    expect(readFileSync(settingsFile(), "utf8").trim()).toBe(before);
  });

  test("without one nothing is shown, and none is left", async () => {
    await run(connect);
    writeFileSync(join(home, "agent-hook"), hookScript);
    expect([shown(), shown({ PATCHBAY_DATA: home })]).toEqual(["", ""]);
    await run(["disconnect", "claude"]);
    expect(existsSync(settingsFile())).toBe(false);
  });

  test("it stays as it is unless asked for, and is not set in a project", async () => {
    given({ statusLine: { type: "command", command: "date" } });
    await run(["connect", "claude", "--yes"]);
    expect(read().statusLine.command).toBe("date");
    await expect(run([...connect, "--project"])).rejects.toThrow("not for a project");
  });
});

describe("for single runs", () => {
  const file = () => join(home, "data", "agent-launchers", "claude.json");

  test("the hooks are a file of the data folder, and the settings of user and project stay as they are", async () => {
    const before = given({ model: "opus" });
    const refused = run(["connect", "claude", "--per-run"], { isTTY: true, answer: "n\n" });
    await expect(refused).rejects.toThrow("nothing was changed");
    expect(out).toContain(`Adds these hooks to ${file()}`);
    expect(out).toContain("launcher");
    expect(existsSync(file())).toBe(false);
    expect(await run(["connect", "claude", "--per-run"], { isTTY: true, answer: "y\n" })).toBe(0);
    expect(out).toContain("in a shell opened from now on; `service agents disconnect claude --per-run` undoes it");
    expect(read(file()).hooks).toEqual(
      Object.fromEntries(Object.entries(claudeHooks).map(([event, hook]) => [event, [{ hooks: [hook] }]])),
    );
    expect(readFileSync(settingsFile(), "utf8")).toBe(before);
    await run(["hooks"]);
    expect(out).toMatch(
      /claude {4}user {5}not connected .*\nclaude {4}project {2}not connected .*\nclaude {4}per run {2}connected/,
    );
    await run(["disconnect", "claude"]);
    expect(existsSync(file())).toBe(true);
    expect(await run(["disconnect", "claude", "--per-run"])).toBe(0);
    expect(existsSync(file())).toBe(false);
  });

  test.each([
    ["codex", "--per-run", "is for claude"],
    ["claude", "--project", "one of --per-run and --project"],
    ["claude", "--status-line", "not for those of a run"],
  ])("%s %s is refused", async (kind, option, why) => {
    await expect(run(["connect", kind, "--per-run", option, "--yes"])).rejects.toThrow(why);
    expect(existsSync(file())).toBe(false);
  });
});

test("a project has the hooks in its local settings", async () => {
  mkdirSync(join(home, "project"));
  await run(["connect", "claude", "--project", "--yes"]);
  expect(existsSync(settingsFile())).toBe(false);
  expect(connectionState(join(home, "project", ".claude", "settings.local.json"))).toBe("connected");
  await run(["hooks"]);
  expect(out).toMatch(/claude {4}user {5}not connected .*\nclaude {4}project {2}connected/);
});

test("hooks prints JSON where that is asked for; connect and disconnect have none to print", async () => {
  await run(["connect", "claude", "--yes"]);
  out = "";
  await run(["hooks", "--json"]);
  const [claude, ...others] = JSON.parse(out);
  const [user] = claude.connections;
  expect(user).toEqual({ scope: "user", state: "connected", file: settingsFile() });
  const warnings = expect.arrayContaining(["curl, by which the hooks report, is not in PATH"]);
  expect(claude).toMatchObject({ agentType: "claude", lastFired: null, warnings });
  for (const other of others) expect(Object.keys(other)).toEqual(["agentType", "connections", "warnings"]);
  await expect(run(["disconnect", "claude", "--json"])).rejects.toThrow("--json is not an option of");
  expect(connectionState(settingsFile())).toBe("connected");
});

describe("hooks that do not fire", () => {
  const shown = async () => {
    out = "";
    await run(["hooks"]);
    return out;
  };

  test("are shown with the time at which one last reported, and never where none did", async () => {
    expect(await shown()).not.toContain("last fired");
    await run(["connect", "claude", "--yes"]);
    expect(await shown()).toMatch(/claude {4}user {5}connected [\s\S]*claude {4}hooks {4}last fired: never\n/);
    const signs = new HookSigns(join(home, "data"));
    expect(signs.isExpected("claude", new Date(Date.now() + 1000))).toBe(true);
    signs.note("claude", "fired");
    expect(await shown()).toMatch(/last fired: \d{4}-\d\d-\d\dT/);
    await run(["disconnect", "claude"]);
    expect(signs.isExpected("claude", new Date(Date.now() + 1000))).toBe(false);
  });

  test.each([
    [".claude/settings.json", "disableAllHooks"],
    ["project/.claude/settings.json", "disableAllHooks"],
    ["project/.claude/settings.local.json", "disableAllHooks"],
    ["managed/managed-settings.json", "disableAllHooks"],
    ["managed/managed-settings.json", "allowManagedHooksOnly"],
    ["managed/managed-settings.d/10.json", "allowManagedHooksOnly"],
  ])("%s: %s is named", (path, name) => {
    const [file, place] = [join(home, path), { env: { HOME: home, PATH }, cwd: join(home, "project") }];
    mkdirSync(join(file, ".."), { recursive: true });
    const obstacles = () => claudeHookObstacles(place, join(home, "managed"));
    for (const text of ["{}", "no JSON", "[]", JSON.stringify({ [name]: false }), JSON.stringify({ [name]: "yes" })]) {
      writeFileSync(file, text);
      expect(obstacles()).toEqual([]);
    }
    writeFileSync(file, JSON.stringify({ [name]: true }));
    expect(obstacles()).toEqual([expect.stringMatching(`^${name} in ${file} `)]);
  });

  test("for want of curl are named", async () => {
    await run(["connect", "claude", "--yes"]);
    expect(await shown()).toContain("warning: curl, by which the hooks report, is not in PATH");
  });
});

describe("the user's consent", () => {
  test("is asked on a terminal, after the hooks were shown", async () => {
    await expect(run(["connect", "claude"], { isTTY: true, answer: "n\n" })).rejects.toThrow(/nothing was changed/);
    expect(out).toContain('"PermissionRequest"');
    expect(existsSync(settingsFile())).toBe(false);
    expect(await run(["connect", "claude"], { isTTY: true, answer: "y\n" })).toBe(0);
    expect(connectionState(settingsFile())).toBe("connected");
  });

  test("cannot be given without a terminal, except by --yes", async () => {
    await expect(run(["connect", "claude"], { answer: "y\n" })).rejects.toThrow(/--yes/);
    expect(existsSync(join(home, ".claude"))).toBe(false);
  });
});

describe("a settings file is left alone", () => {
  test.each([
    ["that is not JSON", "{ // mine\n}"],
    ["whose hooks have another form", '{"hooks":{"Stop":"mine"}}'],
    ["that is a list", "[]"],
  ])("%s", async (_, text) => {
    given({});
    writeFileSync(settingsFile(), text);
    await expect(run(["connect", "claude", "--yes"])).rejects.toThrow(/nothing was changed/);
    expect(readFileSync(settingsFile(), "utf8")).toBe(text);
  });

  test("that is a link, or in a linked folder", async () => {
    const other = join(home, "other.json");
    writeFileSync(other, "{}");
    mkdirSync(join(home, ".claude"));
    symlinkSync(other, settingsFile());
    await expect(run(["connect", "claude", "--yes"])).rejects.toThrow(/symbolic link/);
    rmSync(join(home, ".claude"), { recursive: true });
    mkdirSync(join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), join(home, ".claude"));
    await expect(run(["connect", "claude", "--yes"])).rejects.toThrow(/symbolic link/);
    expect([readFileSync(other, "utf8"), readdirSync(join(home, "elsewhere"))]).toEqual(["{}", []]);
  });

  test("that another program has changed meanwhile", () => {
    given({ model: "opus" });
    const change = planConnect(settingsFile());
    const text = given({ model: "haiku" });
    expect(() => change.apply()).toThrow(/changed by another program/);
    expect(readFileSync(settingsFile(), "utf8")).toBe(text);
  });
});

test.each([[["connect"]], [["connect", "gpt"]], [["conect", "claude"]], [["hooks", "claude", "more"]]])(
  "refuses the words %j",
  async (words) => {
    await expect(run(words)).rejects.toMatchObject({ exitCode: 2 });
  },
);

describe("connecting Codex", () => {
  const connections = () => join(home, "data", "agent-connections.json");

  test("is shown, asked for, kept in the data folder, and undone", async () => {
    await expect(run(["connect", "codex"], { isTTY: true, answer: "n\n" })).rejects.toThrow(/nothing was changed/);
    expect(out).toContain(join(home, ".codex"));
    expect(existsSync(connections())).toBe(false);
    expect(await run(["connect", "codex"], { isTTY: true, answer: "y\n" })).toBe(0);
    expect(read(connections())).toEqual({ codex: { homes: [join(home, ".codex")], folders: [] } });
    expect(statSync(connections()).mode & 0o777).toBe(0o600);
    out = "";
    await run(["connect", "codex", "--yes"]);
    expect(out).toMatch(/connected already/);
    await run(["connect", "codex", "--project", "--yes"]);
    await run(["disconnect", "codex"]);
    expect(read(connections())).toEqual({ codex: { homes: [], folders: [join(home, "project")] } });
    await run(["hooks"]);
    expect(out).toMatch(/codex {5}user {5}not connected .*\ncodex {5}project {2}connected/);
    await run(["disconnect", "codex", "--project"]);
    expect(read(connections())).toEqual({});
    out = "";
    await run(["disconnect", "codex"]);
    expect(out).toMatch(/is not connected/);
  });

  test("leaves a damaged file alone", async () => {
    mkdirSync(join(home, "data"));
    writeFileSync(connections(), '{"codex":7}');
    await expect(run(["connect", "codex", "--yes"])).rejects.toThrow(/nothing was changed/);
    expect(readFileSync(connections(), "utf8")).toBe('{"codex":7}');
  });
});

test("connecting Gemini CLI adds its hooks, none of which waits for the relay", async () => {
  const file = join(home, ".gemini", "settings.json");
  await run(["connect", "gemini", "--yes"]);
  expect(Object.keys(read(file).hooks)).toEqual(Object.keys(geminiHooks));
  expect(JSON.stringify(read(file))).not.toMatch(/ (ask|tell)"/);
  expect(connectionState(file, geminiHooks)).toBe("connected");
  await run(["hooks"]);
  expect(out).toMatch(/gemini {4}user {5}connected .*\ngemini {4}project {2}not connected/);
  await run(["disconnect", "gemini"]);
  expect(existsSync(file)).toBe(false);
});

describe("connecting opencode", () => {
  const plugin = (folder = "plugin") => join(home, ".config", "opencode", folder, "patchbay.js");

  test("shows its plugin, asks, writes it, and removes it again", async () => {
    await expect(run(["connect", "opencode"], { isTTY: true, answer: "n\n" })).rejects.toThrow(/nothing was changed/);
    expect(out).toContain(opencodeLoader.trim());
    expect(existsSync(plugin())).toBe(false);
    expect(await run(["connect", "opencode"], { isTTY: true, answer: "y\n" })).toBe(0);
    expect(out).toMatch(/takes effect in each opencode that starts from now on/);
    expect(readFileSync(plugin(), "utf8")).toBe(opencodeLoader);
    out = "";
    await run(["connect", "opencode", "--yes"]);
    expect(out).toMatch(/connected already/);
    writeFileSync(plugin(), `${opencodeLoader}// older`);
    await run(["hooks"]);
    expect(out).toMatch(/opencode {2}user {5}incomplete .*\nopencode {2}project {2}not connected/);
    await run(["connect", "opencode", "--yes"]);
    expect(readFileSync(plugin(), "utf8")).toBe(opencodeLoader);
    await run(["disconnect", "opencode"]);
    expect(existsSync(plugin())).toBe(false);
  });

  test("of a project is in its own folder", async () => {
    await run(["connect", "opencode", "--project", "--yes"]);
    expect(existsSync(join(home, "project", ".opencode", "plugin", "patchbay.js"))).toBe(true);
    expect(existsSync(plugin())).toBe(false);
  });

  test("moves the plugin out of the folder that older versions of opencode refuse to start with", async () => {
    const former = plugin("plugins");
    mkdirSync(join(former, ".."), { recursive: true });
    writeFileSync(former, opencodeLoader);
    await run(["hooks"]);
    expect(out).toMatch(/opencode {2}user {5}incomplete/);
    await run(["connect", "opencode", "--yes"]);
    expect(readFileSync(plugin(), "utf8")).toBe(opencodeLoader);
    expect(existsSync(join(former, ".."))).toBe(false);

    mkdirSync(join(former, ".."));
    writeFileSync(former, opencodeLoader);
    writeFileSync(join(former, "../mine.js"), "export const Mine = 1;");
    await run(["disconnect", "opencode"]);
    expect(existsSync(plugin())).toBe(false);
    expect(readdirSync(join(former, ".."))).toEqual(["mine.js"]);
  });

  test("leaves another program's plugin and links alone", async () => {
    mkdirSync(join(plugin(), ".."), { recursive: true });
    writeFileSync(plugin(), "export const Mine = 1;");
    for (const action of ["connect", "disconnect"])
      await expect(run([action, "opencode", "--yes"])).rejects.toThrow(/another program's plugin/);
    expect(readFileSync(plugin(), "utf8")).toBe("export const Mine = 1;");
    rmSync(plugin());
    symlinkSync(settingsFile(), plugin());
    await expect(run(["connect", "opencode", "--yes"])).rejects.toThrow(/symbolic link/);
  });

  test("outside of Patchbay's shells its plugin does nothing, and inside it loads the relay's", () => {
    const file = join(home, "patchbay.mjs");
    writeFileSync(file, opencodeLoader);
    const load = (env: Record<string, string>) => {
      const script =
        "const { Patchbay } = await import(process.argv[1]); console.log(Object.keys(await Patchbay({})).join());";
      const args = ["--input-type=module", "-e", script, pathToFileURL(file).href];
      return spawnSync(process.execPath, args, { encoding: "utf8", env: { PATH, ...env } }).stdout.trim();
    };
    expect(load({})).toBe("");
    expect(load({ PATCHBAY_DATA: home, SERVICE_TOKEN: "t" })).toBe("");
    writeFileSync(join(home, OPENCODE_PLUGIN_NAME), opencodePlugin);
    expect(load({ PATCHBAY_DATA: home, SERVICE_TOKEN: "t" })).toBe("event");
  });
});

describe("prices", () => {
  const answers = (...given: readonly Response[]) => {
    const asked: string[] = [];
    const rest = [...given];
    const get: typeof fetch = async (url) => {
      asked.push(String(url));
      return rest.shift() ?? new Response("{}");
    };
    return { asked, get };
  };
  const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

  test("a list is fetched by https, redirects included", async () => {
    const { asked, get } = answers(
      redirect("/there"),
      redirect("https://other.example/list"),
      new Response("the list"),
    );
    expect(await fetchPriceList("https://one.example/here", get)).toBe("the list");
    expect(asked).toEqual(["https://one.example/here", "https://one.example/there", "https://other.example/list"]);
  });

  test("a list in a file is given to the relay as it is", async () => {
    const status = { list: "a list", version: "1", date: "2026-11-20", ageDays: 2, source: "installed", unpriced: [] };
    await using relay = await startFakeRelay((_, response) => ok(response, status));
    writeFileSync(join(home, "prices.json"), "the list\n");
    const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: "key", PATCHBAY_DATA: join(home, "data") };
    const update = await runCli(["agents", "prices", "update", join(home, "prices.json"), "--json"], { env });
    expect(update).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(update.out)).toEqual(status);
    expect((await runCli(["agents", "prices"], { env, isTTY: true })).out).toContain("2026-11-20");
    // An option stands before the action, too.
    const early = await runCli(["agents", "--timeout", "5", "prices"], { env, isTTY: true });
    expect(early.out).toContain("2026-11-20");
    expect(relay.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["PUT", "/v1/prices", { list: "the list\n" }],
      ["GET", "/v1/prices", undefined],
      ["GET", "/v1/prices", undefined],
    ]);
  });

  test.each<[string, string, Response[], string]>([
    ["another protocol", "http://one.example/", [], "expected an https address"],
    [
      "a redirect to another protocol",
      "https://one.example/",
      [redirect("http://one.example/")],
      "expected an https address",
    ],
    ["a file behind an address", "file:///etc/passwd", [], "expected an https address"],
    ["redirects without an end", "https://one.example/", Array.from({ length: 9 }, () => redirect("/")), "redirects"],
    ["an error", "https://one.example/", [new Response("", { status: 404 })], "status 404"],
    ["an answer without an end", "https://one.example/", [new Response("x".repeat(MAX_PRICE_LIST + 1))], "too long"],
  ])("%s is refused", async (_, url, given, why) => {
    await expect(fetchPriceList(url, answers(...given).get)).rejects.toThrow(why);
  });

  test.each([
    [["prices", "upgrade"], "no action"],
    [["prices", "update"], "expected a file"],
    [["prices", "update", "a", "b"], "unexpected argument"],
    [["prices", "update", "missing.json"], "cannot be read (ENOENT)"],
    [["prices", "update", ".."], "is not a file"],
  ])("%j is a mistake", async (words, why) => {
    mkdirSync(join(home, "project"), { recursive: true });
    await expect(run(words)).rejects.toThrow(why);
  });
});
