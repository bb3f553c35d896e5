import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { parseJson, readRegularFile, refuseLink, writeSettings } from "./agent-settings.ts";
import { append, jsonText, propertyOf, removeChild } from "./json-text.ts";

/** The name under which programs list Patchbay's server. */
const NAME = "patchbay";

/** What a program in a shell of Patchbay finds its relay and its rights by. */
const VARIABLES = ["SERVICE_URL", "SERVICE_TOKEN", "SERVICE_SESSION", "SERVICE_SHELL_ID", "PATCHBAY_DATA"];
const VARIABLES_LINE = `env_vars = ${JSON.stringify(VARIABLES)}`;

type Env = Readonly<Record<string, string | undefined>>;

/** The command that a program starts for a connection. */
export type ServerCommand = readonly [program: string, ...args: string[]];

/** A change of a program's settings that has not been made yet. */
interface McpChange {
  /** What is changed, for the user who is asked; undefined where nothing is. */
  readonly shown: string | undefined;
  apply(): Promise<void>;
}

/** A program that takes MCP servers. */
interface McpClient {
  /** Name for people. */
  readonly name: string;
  install(command: ServerCommand, env: Env): McpChange;
  remove(env: Env): McpChange;
}

/** Programs that keep their servers in a JSON file, and how they write one. */
const files: Readonly<
  Record<
    string,
    { name: string; file: (home: string, env: Env) => string; under: string; entry: (command: ServerCommand) => object }
  >
> = {
  gemini: {
    name: "Gemini CLI",
    file: (home, env) => join(env.GEMINI_CLI_HOME || home, ".gemini", "settings.json"),
    under: "mcpServers",
    entry: ([command, ...args]) => ({ command, args }),
  },
  opencode: {
    name: "opencode",
    file: (home, env) => join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode", "opencode.json"),
    under: "mcp",
    entry: (command) => ({ type: "local", command: [...command], enabled: true }),
  },
  vscode: {
    name: "Visual Studio Code",
    file: (home, env) => join(userConfig(home, env), "Code", "User", "mcp.json"),
    under: "servers",
    entry: ([command, ...args]) => ({ type: "stdio", command, args }),
  },
  cursor: {
    name: "Cursor",
    file: (home) => join(home, ".cursor", "mcp.json"),
    under: "mcpServers",
    entry: ([command, ...args]) => ({ command, args }),
  },
  zed: {
    name: "Zed",
    file: (home, env) => join(env.XDG_CONFIG_HOME || join(home, ".config"), "zed", "settings.json"),
    under: "context_servers",
    entry: ([command, ...args]) => ({ source: "custom", command, args, env: {} }),
  },
};

export const mcpClients: Readonly<Record<string, McpClient>> = {
  claude: byCommand("Claude Code", "claude", {
    add: (command) => ["mcp", "add", "--scope", "user", NAME, "--", ...command],
    remove: ["mcp", "remove", "--scope", "user", NAME],
  }),
  codex: byCommand("Codex", "codex", {
    add: (command) => ["mcp", "add", NAME, "--", ...command],
    remove: ["mcp", "remove", NAME],
    settings: codexSettings,
  }),
  ...Object.fromEntries(Object.entries(files).map(([kind, form]) => [kind, inFile(form)])),
};

/** A program that changes its own settings by a command. */
function byCommand(
  name: string,
  program: string,
  words: {
    readonly add: (command: ServerCommand) => readonly string[];
    readonly remove: readonly string[];
    /** Its settings file, where the variables that the server needs have to be named in the entry. */
    readonly settings?: (env: Env) => string;
  },
): McpClient {
  const change = (args: readonly string[], env: Env, settings?: string): McpChange => {
    const line = [program, ...args].join(" ");
    const more = settings === undefined ? "" : `\nAdds to ${settings}, at mcp_servers.${NAME}:\n${VARIABLES_LINE}`;
    return {
      shown: `Runs: ${line}${more}`,
      async apply() {
        if (settings !== undefined) refuseLink(settings);
        await promisify(execFile)(program, [...args], { env: { ...env }, timeout: 60_000 }).catch((error: unknown) => {
          const { stderr = "", message } = { stderr: "", message: String(error), ...Object(error) };
          throw new CliError(exitCodes.refused, `\`${line}\` failed: ${(stderr.trim() || message).slice(0, 500)}`);
        });
        if (settings !== undefined) nameVariables(settings);
      },
    };
  };
  return {
    name,
    install: (command, env) => change(words.add(command), env, words.settings?.(env)),
    remove: (env) => change(words.remove, env),
  };
}

function codexSettings(env: Env): string {
  return join(env.CODEX_HOME || join(env.HOME || homedir(), ".codex"), "config.toml");
}

/**
 * Names the variables of Patchbay's shells in the entry that Codex has just written: it starts a server without any others
 * than those, so that the server would not know its shell's relay and rights.
 */
function nameVariables(file: string): void {
  const before = readRegularFile(file);
  const [entry, head = ""] =
    new RegExp(`^(\\[mcp_servers\\.${NAME}\\]\\r?\\n)(?:[^[\\n].*\\n?)*`, "m").exec(before?.text ?? "") ?? [];
  if (before === undefined || entry === undefined) throw odd(file);
  if (/^env_vars\b/m.test(entry)) return;
  const at = before.text.indexOf(entry) + head.length;
  writeSettings(file, before, `${before.text.slice(0, at)}${VARIABLES_LINE}\n${before.text.slice(at)}`);
}

/** A program whose settings file is changed. Every other byte of it stays, and removing restores it. */
function inFile({ name, file: fileOf, under, entry }: (typeof files)[string]): McpClient {
  const read = (env: Env) => {
    const file = fileOf(env.HOME || homedir(), env);
    refuseLink(dirname(file));
    refuseLink(file);
    const before = readRegularFile(file);
    if (before !== undefined) parseJson(file, before.text, true);
    const document = before === undefined ? undefined : jsonText(before.text);
    const servers = propertyOf(document?.root, under);
    const own = propertyOf(servers, NAME)?.parent;
    return { file, before: { text: before?.text, mode: before?.mode }, document, servers, own };
  };
  return {
    name,
    install(command, env) {
      const { file, before, document, servers, own } = read(env);
      const value = entry(command);
      const root = document?.root;
      if (root !== undefined && root.type !== "object") throw odd(file);
      if (servers !== undefined && servers.type !== "object") throw odd(file);
      const isThere = own !== undefined;
      const next = isThere
        ? before.text
        : servers === undefined
          ? append(document, root, { name: under, value: { [NAME]: value } })
          : append(document, servers, { name: NAME, value });
      return {
        shown: isThere ? undefined : `Adds to ${file}, at ${under}.${NAME}:\n${JSON.stringify(value, undefined, 2)}`,
        apply: async () => writeSettings(file, before, next),
      };
    },
    remove(env) {
      const { file, before, document, own } = read(env);
      const isThere = own !== undefined && document !== undefined;
      return {
        shown: isThere ? `Removes ${under}.${NAME} from ${file}` : undefined,
        apply: async () => writeSettings(file, before, isThere ? removeChild(document, own) : before.text),
      };
    },
  };
}

function odd(file: string): CliError {
  return new CliError(exitCodes.refused, `${file} has another form than expected, so nothing was changed.`);
}

/** The folder in which programs for desktops keep what belongs to a user. */
function userConfig(home: string, env: Env): string {
  return process.platform === "darwin"
    ? join(home, "Library", "Application Support")
    : env.XDG_CONFIG_HOME || join(home, ".config");
}
