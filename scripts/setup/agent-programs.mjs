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
  // These speak the Agent Client Protocol for the program of the same kind, and bring that program with them.
  "claude-acp": { package: "@agentclientprotocol/claude-agent-acp", version: "0.101.0", command: "claude-agent-acp" },
  "claude-acp-0.16": { package: "@zed-industries/claude-code-acp", version: "0.16.2", command: "claude-code-acp" },
  "codex-acp": { package: "@agentclientprotocol/codex-acp", version: "2.6.0", command: "codex-acp" },
  "codex-acp-0.16": { package: "@zed-industries/codex-acp", version: "0.16.0", command: "codex-acp" },
});

/** @typedef {keyof typeof PROGRAMS} AgentProgram */

/** Where the programs are kept: `PATCHBAY_AGENTS`, or the user's cache folder. */
function programsFolder() {
  return process.env.PATCHBAY_AGENTS || path.join(cacheFolder(), "agents");
}

/** The command that starts a program, which need not be installed. @param {AgentProgram} name */
export function agentCommand(name) {
  const program = PROGRAMS[name];
  const file = "file" in program ? program.file : path.join(".bin", program.command);
  return path.join(programsFolder(), `${program.command}-${program.version}`, "node_modules", file);
}

/**
 * Installs missing programs with npm: some hundred megabytes each, kept for later runs.
 * @param {import("./run.mjs").Context} context
 * @param {readonly AgentProgram[]} [wanted] default: all
 * @returns {Promise<string>} the folder that they are in
 */
export async function installAgentPrograms(context, wanted) {
  const folder = programsFolder();
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const { package: from, version, command } = program;
    if (wanted?.includes(/** @type {AgentProgram} */ (name)) === false) continue;
    if (existsSync(agentCommand(/** @type {AgentProgram} */ (name)))) continue;
    const lock = path.join(cacheFolder(), "locks", `agent-${command}-${version}.lock`);
    await withLock(lock, { ...context, waitingFor: `${from} ${version}` }, async () => {
      if (existsSync(agentCommand(/** @type {AgentProgram} */ (name)))) return;
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
