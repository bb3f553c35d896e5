import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./cache-folder.mjs";
import { withLock } from "./lock.mjs";
import { publishFolder } from "./publish-folder.mjs";
import { run } from "./run.mjs";
import { SetUpError } from "./set-up-error.mjs";

/** Its command is made by a script of the package, which npm may be set not to run: the program itself. */
const CLAUDE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude${process.platform === "win32" ? ".exe" : ""}`;

/** The coding agents of the tests, by name. Exact versions, because file formats differ between versions. */
const PROGRAMS = /** @type {const} */ ({
  claude: { package: "@anthropic-ai/claude-code", version: "2.1.330", command: "claude", file: CLAUDE },
  "claude-2.1.197": { package: "@anthropic-ai/claude-code", version: "2.1.197", command: "claude", file: CLAUDE },
  codex: { package: "@openai/codex", version: "0.169.0", command: "codex" },
  "codex-0.160": { package: "@openai/codex", version: "0.160.1", command: "codex" },
  "codex-0.98": { package: "@openai/codex", version: "0.98.0", command: "codex" },
  gemini: { package: "@google/gemini-cli", version: "0.61.0", command: "gemini" },
  // As Claude Code.
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    command: "opencode",
    file: `opencode-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}/bin/opencode`,
  },
  qwen: { package: "@qwen-code/qwen-code", version: "0.24.4", command: "qwen" },
  // As Claude Code.
  copilot: {
    package: "@github/copilot",
    version: "1.0.102",
    command: "copilot",
    file: `@github/copilot-${process.platform}-${process.arch}/copilot${process.platform === "win32" ? ".exe" : ""}`,
  },
  pi: { package: "@mariozechner/pi-coding-agent", version: "0.73.1", command: "pi" },
  // These speak the Agent Client Protocol for the program of the same kind, and bring that program with them.
  "claude-acp": { package: "@agentclientprotocol/claude-agent-acp", version: "0.101.0", command: "claude-agent-acp" },
  "claude-acp-0.16": { package: "@zed-industries/claude-code-acp", version: "0.16.2", command: "claude-code-acp" },
  "codex-acp": { package: "@agentclientprotocol/codex-acp", version: "2.6.0", command: "codex-acp" },
  "codex-acp-0.16": { package: "@zed-industries/codex-acp", version: "0.16.0", command: "codex-acp" },
});

/**
 * The published versions of which `test/agents/versions.test.ts` starts each: over the whole time in which people may have
 * installed them and not updated, and the newest.
 */
export const VERSIONS = /** @type {const} */ ([
  "claude@1.0.60",
  "claude@2.0.14",
  "claude@2.0.50",
  "claude@2.0.76",
  "claude@2.1.20",
  "claude@2.1.90",
  "claude@2.1.150",
  "claude@2.1.250",
  "claude@2.1.300",
  "claude@2.1.332",
  "codex@0.80.0",
  "codex@0.115.0",
  "codex@0.135.0",
  "codex@0.150.1",
  "codex@0.166.0",
  "gemini@0.20.2",
  "gemini@0.30.1",
  "gemini@0.41.2",
  "gemini@0.53.0",
  "gemini@0.60.0",
  "opencode@1.0.185",
  "opencode@1.2.27",
  "opencode@1.14.41",
  "opencode@1.17.18",
  "opencode@1.18.20",
]);

/** @typedef {keyof typeof PROGRAMS | typeof VERSIONS[number]} AgentProgram */

/** @typedef {{ package: string, version: string, command: string, file?: string }} Program */

/** @param {AgentProgram} name @returns {Program} */
function programOf(name) {
  const [base = "", version] = name.split("@");
  /** @type {Readonly<Record<string, Program>>} */
  const programs = PROGRAMS;
  const program = programs[base];
  if (program === undefined) throw new SetUpError(`There is no agent "${name}".`);
  return { ...program, version: version ?? program.version };
}

const AGENT_PROGRAMS = /** @type {AgentProgram[]} */ (Object.keys(PROGRAMS));

/** Where the programs are kept: `PATCHBAY_AGENTS`, or the user's cache folder. */
function programsFolder() {
  return process.env.PATCHBAY_AGENTS || path.join(cacheFolder(), "agents");
}

/** The command that starts a program, which need not be installed. @param {AgentProgram} name */
export function agentCommand(name) {
  const { command, version, file } = programOf(name);
  const modules = path.join(programsFolder(), `${command}-${version}`, "node_modules");
  const own = file === undefined ? undefined : path.join(modules, file);
  // Older versions are scripts, and have no program for the platform.
  return own !== undefined && existsSync(own) ? own : path.join(modules, ".bin", command);
}

/**
 * Installs missing programs with npm: some hundred megabytes each, kept for later runs.
 * @param {import("./run.mjs").Context} context
 * @param {readonly AgentProgram[]} [wanted] default: all but VERSIONS
 * @returns {Promise<string>} the folder that they are in
 */
export async function installAgentPrograms(context, wanted = AGENT_PROGRAMS) {
  const folder = programsFolder();
  for (const name of wanted) {
    const { package: from, version, command } = programOf(name);
    if (existsSync(agentCommand(name))) continue;
    const lock = path.join(cacheFolder(), "locks", `agent-${command}-${version}.lock`);
    await withLock(lock, { ...context, waitingFor: `${from} ${version}` }, async () => {
      if (existsSync(agentCommand(name))) return;
      context.log(`installing ${from} ${version}`);
      await publishFolder(path.join(folder, `${command}-${version}`), (place) =>
        install(`${from}@${version}`, place, context),
      );
    });
  }
  return folder;
}

/** @param {string} wanted @param {string} cwd @param {import("./run.mjs").Context} context */
async function install(wanted, cwd, { signal }) {
  await writeFile(path.join(cwd, "package.json"), '{ "private": true }');
  const windows = process.platform === "win32";
  const args = ["install", "--no-audit", "--no-fund", "--save-exact", wanted];
  const code = await run(windows ? "npm.cmd" : "npm", args, { cwd, signal, shell: windows });
  if (code !== 0) throw new SetUpError(`npm could not install ${wanted}: its own words are above.`);
}
