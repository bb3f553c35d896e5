import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mcpClients, type ServerCommand } from "../../../../cli/connect/mcp-clients.ts";

const command: ServerCommand = ["/usr/bin/patchbay", "mcp", "--tools", "observe"];
const plain = { command: "/usr/bin/patchbay", args: ["mcp", "--tools", "observe"] };
const VARIABLES = ["SERVICE_URL", "SERVICE_TOKEN", "SERVICE_SESSION", "SERVICE_SHELL_ID", "PATCHBAY_DATA"];

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-mcp-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function clientOf(kind: string) {
  const client = mcpClients[kind];
  if (client === undefined) throw new Error(`no program ${kind}`);
  return client;
}

test("the programs that are known have names for people", () => {
  const names = Object.entries(mcpClients).map(([kind, { name }]) => `${kind}: ${name}`);
  expect(names).toEqual([
    ...["claude: Claude Code", "codex: Codex", "gemini: Gemini CLI", "opencode: opencode"],
    ...["vscode: Visual Studio Code", "cursor: Cursor", "zed: Zed"],
  ]);
});

describe.each<[kind: string, file: string, under: string, entry: object, env: Record<string, string>]>([
  ["gemini", ".gemini/settings.json", "mcpServers", plain, {}],
  ["gemini", "elsewhere/.gemini/settings.json", "mcpServers", plain, { GEMINI_CLI_HOME: "elsewhere" }],
  ["opencode", ".config/opencode/opencode.json", "mcp", { type: "local", command: [...command], enabled: true }, {}],
  [
    "opencode",
    "xdg/opencode/opencode.json",
    "mcp",
    { type: "local", command: [...command], enabled: true },
    { XDG_CONFIG_HOME: "xdg" },
  ],
  ["vscode", ".config/Code/User/mcp.json", "servers", { type: "stdio", ...plain }, {}],
  ["vscode", "xdg/Code/User/mcp.json", "servers", { type: "stdio", ...plain }, { XDG_CONFIG_HOME: "xdg" }],
  ["cursor", ".cursor/mcp.json", "mcpServers", plain, {}],
  ["zed", ".config/zed/settings.json", "context_servers", { source: "custom", ...plain, env: {} }, {}],
])("%s keeps its servers in %s", (kind, relative, under, entry, folders) => {
  const env = () => ({
    HOME: home,
    ...Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, join(home, folder)])),
  });
  const file = () => join(home, relative);
  const write = (text: string) => {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(file(), text);
  };
  const text = () => readFileSync(file(), "utf8");

  test("the server is added at its place, in a file of its own where there is none", async () => {
    const change = clientOf(kind).install(command, env());
    expect(change.shown).toBe(`Adds to ${file()}, at ${under}.patchbay:\n${JSON.stringify(entry, undefined, 2)}`);
    expect(existsSync(file())).toBe(false);
    await change.apply();
    expect(JSON.parse(text())).toEqual({ [under]: { patchbay: entry } });
    const again = clientOf(kind).install(command, env());
    expect(again.shown).toBeUndefined();
    const before = text();
    await again.apply();
    expect(text()).toBe(before);
  });

  test.each([
    ["other settings", '{\n  "theme": "dark"\n}\n'],
    ["other servers", `{"${under}": {"other": {"command": "x"}}, "last": [1, 2]}`],
    ["no server yet", `{\n\t"${under}": {}\n}`],
  ])("beside %s every other byte stays, and removing restores the file", async (_what, before) => {
    write(before);
    await clientOf(kind).install(command, env()).apply();
    const parsed = JSON.parse(text());
    expect(parsed[under].patchbay).toEqual(entry);
    delete parsed[under].patchbay;
    const known = JSON.parse(before);
    expect(parsed).toEqual({ ...known, [under]: known[under] ?? {} });
    const removal = clientOf(kind).remove(env());
    expect(removal.shown).toBe(`Removes ${under}.patchbay from ${file()}`);
    await removal.apply();
    expect(text()).toBe(before);
    const nothing = clientOf(kind).remove(env());
    expect(nothing.shown).toBeUndefined();
  });

  test.each([
    ["a list", "[]"],
    ["a list of servers", `{"${under}": []}`],
  ])("a file with %s is not changed", (_what, before) => {
    write(before);
    expect(() => clientOf(kind).install(command, env())).toThrow(
      `${file()} has another form than expected, so nothing was changed.`,
    );
    expect(text()).toBe(before);
  });

  test("a file that is a link, or stands behind one, is not changed", () => {
    mkdirSync(join(home, "real"));
    mkdirSync(dirname(file()), { recursive: true });
    symlinkSync(join(home, "real", "x.json"), file());
    for (const change of [() => clientOf(kind).install(command, env()), () => clientOf(kind).remove(env())])
      expect(change).toThrow(`${file()} is a symbolic link`);
    rmSync(dirname(file()), { recursive: true });
    symlinkSync(join(home, "real"), dirname(file()));
    expect(() => clientOf(kind).install(command, env())).toThrow(`${dirname(file())} is a symbolic link`);
  });

  test("where there is no file nothing is removed", async () => {
    const removal = clientOf(kind).remove(env());
    expect(removal.shown).toBeUndefined();
    await removal.apply();
    expect(existsSync(file())).toBe(false);
  });
});

test("a file that was changed after the question is not changed", async () => {
  const file = join(home, ".cursor", "mcp.json");
  const change = clientOf("cursor").install(command, { HOME: home });
  mkdirSync(dirname(file));
  writeFileSync(file, "{}");
  await expect(change.apply()).rejects.toThrow("was changed by another program meanwhile");
});

describe("a program that changes its own settings", () => {
  test("is run by its own command, which is shown", () => {
    const line = command.join(" ");
    expect(clientOf("claude").install(command, {}).shown).toBe(`Runs: claude mcp add --scope user patchbay -- ${line}`);
    expect(clientOf("claude").remove({}).shown).toBe("Runs: claude mcp remove --scope user patchbay");
    expect(clientOf("codex").remove({}).shown).toBe("Runs: codex mcp remove patchbay");
    const adds = (file: string) =>
      `Runs: codex mcp add patchbay -- ${line}\nAdds to ${file}, at mcp_servers.patchbay:\nenv_vars = ${JSON.stringify(VARIABLES)}`;
    expect(clientOf("codex").install(command, { HOME: home }).shown).toBe(adds(join(home, ".codex", "config.toml")));
    expect(clientOf("codex").install(command, { HOME: home, CODEX_HOME: "/c" }).shown).toBe(adds("/c/config.toml"));
  });

  test("that is not there is told with its line", async () => {
    await expect(clientOf("claude").remove({ PATH: home }).apply()).rejects.toThrow(
      /^`claude mcp remove --scope user patchbay` failed: .*ENOENT/,
    );
  });

  test("of which a settings file is a link is not run", async () => {
    mkdirSync(join(home, ".codex"));
    symlinkSync(join(home, "x"), join(home, ".codex", "config.toml"));
    await expect(clientOf("codex").install(command, { HOME: home, PATH: home }).apply()).rejects.toThrow(
      "is a symbolic link",
    );
  });
});

describe("Codex", () => {
  const entry = '[mcp_servers.patchbay]\ncommand = "/usr/bin/patchbay"\nargs = ["mcp"]\n';
  const names = `env_vars = ${JSON.stringify(VARIABLES)}\n`;
  const [head, rest] = ["[mcp_servers.patchbay]\n", 'command = "/usr/bin/patchbay"\nargs = ["mcp"]\n'];

  /** Installs with a program named codex that leaves this in its settings. */
  async function install(written: string): Promise<string> {
    const folder = join(home, ".codex");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, "written"), written);
    writeFileSync(
      join(home, "codex"),
      `#!/bin/sh\n/bin/cp "${join(home, "written")}" "${join(folder, "config.toml")}"\n`,
    );
    chmodSync(join(home, "codex"), 0o700);
    await clientOf("codex").install(command, { HOME: home, PATH: home }).apply();
    return readFileSync(join(folder, "config.toml"), "utf8");
  }

  test.each([
    ["alone", "", ""],
    ["before another one", "", "\n[mcp_servers.other]\nenv_vars = []\n"],
    ["after another one", 'model = "o"\n\n[mcp_servers.other]\nenv_vars = []\n\n', ""],
  ])("is given the variables in the entry that it has written, %s", async (_where, before, after) => {
    expect(await install(`${before}${entry}${after}`)).toBe(`${before}${head}${names}${rest}${after}`);
  });

  test("that names variables itself keeps those", async () => {
    const own = `${entry}env_vars = ["A"]\n`;
    expect(await install(own)).toBe(own);
  });

  test("that has written another form is told, and nothing is changed", async () => {
    await expect(install("[mcp_servers]\npatchbay = {}\n")).rejects.toThrow(
      "has another form than expected, so nothing was changed.",
    );
  });

  test("that fails is told with what it said", async () => {
    writeFileSync(join(home, "codex"), "#!/bin/sh\necho 'no such server' >&2\nexit 3\n");
    chmodSync(join(home, "codex"), 0o700);
    await expect(clientOf("codex").remove({ HOME: home, PATH: home }).apply()).rejects.toThrow(
      "`codex mcp remove patchbay` failed: no such server",
    );
  });
});
