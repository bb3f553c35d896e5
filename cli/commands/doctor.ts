import type { Command } from "commander";
import { findMachines } from "../../client/ask-machines.ts";
import { findRemote, findRemoteName } from "../../client/find-relay.ts";
import type { Finding } from "../../core/protocol/health.ts";
import { dataFolder } from "../../main/system/folders.ts";
import { type CheckContext, checkContext } from "../doctor/check-context.ts";
import { checkRemotes } from "../doctor/check-remotes.ts";
import { runChecks } from "../doctor/checks.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import { bold } from "../render/colour.ts";
import { jsonLine } from "../render/format-result.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";
import { withProgramName } from "../render/program-name.ts";

const MARKS = { ok: "ok  ", note: "note", problem: "FAIL" } as const satisfies Record<Finding["state"], string>;

interface DoctorOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly security?: boolean;
  readonly on?: string;
}

/** `service doctor`: looks at all that Patchbay needs and says what to do. Exit code 1 where something is wrong. */
export async function doctorCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = doctorParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<DoctorOptions>();
  const findings = await look(io, options);
  const style = styleOf(io, options.json === true);
  const isForPrograms = style.json || !style.isTTY;
  io.stdout.write(isForPrograms ? jsonLine(findings) : withProgramName(table(findings, style), io.program));
  return findings.some(({ state }) => state === "problem") ? exitCodes.refused : exitCodes.ok;
}

export function doctorParser(program: string): Command {
  return wordParser(program, "doctor", {
    description: "Checks everything that Patchbay needs on this machine, and says what to do where something is wrong.",
    examples: ["doctor", "doctor --security", "doctor --json"],
  })
    .option("--data <folder>", "data folder of the relay; default: PATCHBAY_DATA, else the platform's default")
    .option("--on <remote>", "check this remote only; default: SERVICE_ON, else this machine and every remote")
    .option("--security", "probe the running relay's port for weaknesses instead")
    .option("--json", "print the findings as JSON, also on a terminal");
}

/** All checks of this machine and of every remote; with `--on` those of one remote alone. */
async function look(io: Io, { data, on, security = false }: DoctorOptions): Promise<Finding[]> {
  const remote = findRemoteName({ on, data, env: io.env });
  if (security) {
    if (remote !== undefined) throw usageError("doctor --security probes the relay of this machine only.");
    return probeSecurity(checkContext({ data, env: io.env }));
  }
  const { machines, damaged } = findMachines({ env: io.env, data, local: false });
  if (remote === undefined) {
    return [...(await runChecks(checkContext({ data, env: io.env }))), ...(await checkRemotes({ machines, damaged }))];
  }
  const { name } = findRemote(remote, dataFolder(data, io.env));
  return checkRemotes({ machines: machines.filter((machine) => machine.name === name), damaged: [] });
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
