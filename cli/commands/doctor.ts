import { Command } from "commander";
import { CHECKS } from "../doctor/checks.ts";
import type { Finding } from "../doctor/finding.ts";
import { findSurroundings, type Surroundings } from "../doctor/surroundings.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { parseWith } from "../parse/parse-command.ts";
import { visible } from "../render/cell.ts";
import { bold } from "../render/colour.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";
import { json } from "../render/print-result.ts";

const MARKS = { ok: "ok  ", note: "note", problem: "FAIL" } as const satisfies Record<Finding["state"], string>;

interface DoctorOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly security?: boolean;
}

/** `service doctor`: looks at all that Patchbay needs and says what to do. Exit code 1 where something is wrong. */
export async function doctorCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = doctorOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const options = command.opts<DoctorOptions>();
  const surroundings = findSurroundings({ data: options.data, env: io.env });
  const findings = options.security === true ? await attack(surroundings) : await checkAll(surroundings);
  const style = styleOf(io, options.json === true);
  io.out.write(style.json || !style.isTTY ? json(findings) : table(findings, style));
  return findings.some(({ state }) => state === "problem") ? exitCodes.refused : exitCodes.ok;
}

export function doctorOptions(program: string): Command {
  return new Command("doctor")
    .description("Looks at all that Patchbay needs on this machine, and says what to do where something is wrong")
    .usage(`${program} doctor [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage() })
    .option("--data <folder>", "data folder of the relay; default: PATCHBAY_DATA, else the platform's own place")
    .option("--security", "attack the running relay's own port instead, and tell what held")
    .option("--json", "print the findings as JSON, also on a terminal")
    .addHelpText(
      "after",
      `\nExamples:\n  ${program} doctor\n  ${program} doctor --security\n  ${program} doctor --json`,
    );
}

async function checkAll(surroundings: Surroundings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) findings.push({ check, ...(await look(surroundings)) });
  return findings;
}

async function attack({ relay }: Surroundings): Promise<Finding[]> {
  if (relay !== undefined) return (await import("../doctor/attacks.ts")).attackRelay(relay.url);
  throw new CliError(exitCodes.unreachable, "No relay is running: start the Patchbay app, or run `patchbay serve`.");
}

function table(findings: readonly Finding[], style: Style): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.map((finding) => lines(finding, width, style)).join("");
}

function lines({ check, state, found, advice }: Finding, width: number, style: Style): string {
  const mark = state === "problem" ? bold(MARKS[state], style) : MARKS[state];
  const head = `${mark}  ${check.padEnd(width)}  ${visible(found)}\n`;
  return advice === undefined ? head : `${head}${" ".repeat(width + 8)}${visible(advice)}\n`;
}
