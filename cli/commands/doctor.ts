import type { Command } from "commander";
import { type CheckContext, checkContext } from "../doctor/check-context.ts";
import { CHECKS } from "../doctor/checks.ts";
import type { Finding } from "../doctor/finding.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import { bold } from "../render/colour.ts";
import { jsonLine } from "../render/format-result.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";

const MARKS = { ok: "ok  ", note: "note", problem: "FAIL" } as const satisfies Record<Finding["state"], string>;

interface DoctorOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly security?: boolean;
}

/** `service doctor`: looks at all that Patchbay needs and says what to do. Exit code 1 where something is wrong. */
export async function doctorCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = doctorParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<DoctorOptions>();
  const surroundings = checkContext({ data: options.data, env: io.env });
  const findings = options.security === true ? await probeSecurity(surroundings) : await runChecks(surroundings);
  const style = styleOf(io, options.json === true);
  io.stdout.write(style.json || !style.isTTY ? jsonLine(findings) : table(findings, style));
  return findings.some(({ state }) => state === "problem") ? exitCodes.refused : exitCodes.ok;
}

export function doctorParser(program: string): Command {
  return wordParser(program, "doctor", {
    description: "Checks everything that Patchbay needs on this machine, and says what to do where something is wrong.",
    examples: ["doctor", "doctor --security", "doctor --json"],
  })
    .option("--data <folder>", "data folder of the relay; default: PATCHBAY_DATA, else the platform's default")
    .option("--security", "probe the running relay's port for weaknesses instead")
    .option("--json", "print the findings as JSON, also on a terminal");
}

async function runChecks(surroundings: CheckContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) findings.push({ check, ...(await look(surroundings)) });
  return findings;
}

async function probeSecurity({ relay }: CheckContext): Promise<Finding[]> {
  if (relay !== undefined) return (await import("../doctor/security-probes.ts")).probeRelay(relay.url);
  throw new CliError(exitCodes.unreachable, "No relay is running: start the Patchbay app, or run `patchbay serve`.");
}

function table(findings: readonly Finding[], style: Style): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.map((finding) => lines(finding, width, style)).join("");
}

function lines({ check, state, found, advice }: Finding, width: number, style: Style): string {
  const mark = state === "problem" ? bold(MARKS[state], style) : MARKS[state];
  const head = `${mark}  ${check.padEnd(width)}  ${escapeControls(found)}\n`;
  return advice === undefined ? head : `${head}${" ".repeat(width + 8)}${escapeControls(advice)}\n`;
}
