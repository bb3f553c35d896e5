import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readRegularFile } from "../../main/system/regular-files.ts";
import { writeAtomically } from "../../main/system/write-atomically.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { installAction, printsHelp, wordParser } from "../parse/word-parser.ts";
import type { Io } from "../render/io.ts";
import { confirmChange } from "./agent-hooks.ts";

type Env = Io["env"];

/** The folders in which agents look for skills of the user. */
const folders: Readonly<Record<string, (home: string, env: Env) => string>> = {
  claude: (home, env) => join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "skills"),
  codex: (home, env) => join(env.CODEX_HOME || join(home, ".codex"), "skills"),
  gemini: (home, env) => join(env.GEMINI_CLI_HOME || home, ".gemini", "skills"),
  opencode: (home, env) => join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode", "skills"),
};

/** The agents that the skill can be installed for. */
export const skillKinds = Object.keys(folders);

const MAX_BYTES = 256 * 1024;
/** How a skill of Patchbay begins, of any version. */
const MARK = "---\nname: patchbay\n";

/** `service skill [install|remove AGENT]`: the text that teaches an agent the command line. Returns the exit code. */
export async function skillCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = skillParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { yes = false } = command.opts<{ yes?: boolean }>();
  const { skillText } = await import("../help/skill-text.ts");
  if (command.args.length === 0) {
    io.stdout.write(skillText());
    return exitCodes.ok;
  }
  const { action, chosen: folder } = installAction(command, folders);
  const file = join(folder(io.env.HOME || homedir(), io.env), "patchbay", "SKILL.md");
  return action === "install" ? install(io, { file, text: skillText(), yes }) : remove(io, file);
}

export function skillParser(program: string) {
  return wordParser(program, "skill", {
    description:
      "Prints the text that teaches an agent this command line and its rules, or installs it where the agent looks for skills.",
    usage: "[action] [options]",
    actions: [
      ["install <agent>", `write it into the skills of ${skillKinds.join(", ")}`],
      ["remove <agent>", "undo that"],
    ],
    examples: ["skill", "skill install claude", "skill remove claude"],
  }).option("--yes", "install: do not ask before the file is written");
}

async function install(
  io: Io,
  { file, text, yes }: { readonly file: string; readonly text: string; readonly yes: boolean },
): Promise<number> {
  if (read(file) === text) {
    io.stdout.write(`${file} has this text already: nothing was changed.\n`);
    return exitCodes.ok;
  }
  io.stdout.write(`Writes ${text.split("\n").length} lines to ${file}.\n`);
  await confirmChange(io, yes);
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, text);
  io.stdout.write("Installed. The agent reads it at its next start.\n");
  return exitCodes.ok;
}

function remove(io: Io, file: string): number {
  const text = read(file);
  const isThere = text !== undefined;
  if (isThere && !text.startsWith(MARK)) {
    throw new CliError(exitCodes.refused, `${file} is not Patchbay's, so nothing was removed.`);
  }
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // It does not exist, or the user keeps other files there.
  }
  io.stdout.write(isThere ? `Removed ${file}.\n` : `${file} does not exist: nothing was changed.\n`);
  return exitCodes.ok;
}

/** Returns the text of a file; undefined where there is none that can be read. */
function read(file: string): string | undefined {
  try {
    return readRegularFile(file, MAX_BYTES).toString("utf8");
  } catch {
    return undefined;
  }
}
