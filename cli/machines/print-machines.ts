import type { MachineAnswer } from "../../client/ask-machines.ts";
import type { DamagedRemote } from "../../client/remotes.ts";
import type { Row } from "../../client/session-rows.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { escapeControls, localTime } from "../render/cell.ts";
import { bold, dim } from "../render/colour.ts";
import { jsonLine } from "../render/format-result.ts";
import type { Io, Style } from "../render/io.ts";
import { withProgramName } from "../render/program-name.ts";
import { type ColumnOrder, table } from "../render/table.ts";

/** Rows of each machine under the name of what they are, such as `sessions`. */
interface MachineRows {
  readonly answers: readonly MachineAnswer<readonly Row[]>[];
  readonly name: string;
  readonly order?: ColumnOrder;
}

/**
 * Prints rows by machine: a table for each on a terminal, else JSON, in which every row names its machine too. Machines
 * without an answer are named on stderr where the output itself is for programs.
 *
 * @returns the exit code
 * @throws CliError when no machine answered
 */
export function printMachineRows(io: Io, { answers, name, order = {} }: MachineRows, style: Style): number {
  if (style.json || !style.isTTY) {
    const groups = answers.map(({ value = [], ...report }) => ({
      ...report,
      [name]: value.map(({ machine: _, ...row }) => ({ machine: report.machine, ...row })),
    }));
    io.stdout.write(jsonLine(groups));
    warnOfMissing(io, answers);
  } else {
    io.stdout.write(answers.map((answer) => section(answer, { name, order, style, program: io.program })).join("\n"));
  }
  if (answers.some(({ value }) => value !== undefined)) return exitCodes.ok;
  throw noneAnswered(answers.length);
}

/** Returns the error for a question that no machine answered. */
export function noneAnswered(machines: number): CliError {
  return new CliError(
    exitCodes.unreachable,
    machines === 0
      ? "No relay runs on this machine, and there is no remote: `service remotes add NAME --url URL` adds one."
      : "No machine answered: `service remotes` says how each fares.",
  );
}

/** Says on stderr which machines are missing in the output, and why. */
export function warnOfMissing(io: Io, answers: readonly MachineAnswer<unknown>[]): void {
  for (const answer of answers) {
    if (answer.value !== undefined) continue;
    io.stderr.write(`${io.program}: ${answer.machine} is ${withProgramName(describeState(answer), io.program)}\n`);
  }
}

/** Says on stderr that a machine, whose events are followed, stopped answering or answers again. */
export function warnOfChange(io: Io, answer: MachineAnswer<unknown>): void {
  const told = answer.value === undefined ? `is ${describeState(answer)} Trying again.` : "answers again.";
  io.stderr.write(`${io.program}: ${answer.machine} ${withProgramName(told, io.program)}\n`);
}

/** Says on stderr which records cannot be read. */
export function warnOfDamaged(io: Io, damaged: readonly DamagedRemote[]): void {
  for (const { name } of damaged) {
    io.stderr.write(`${io.program}: the record of the remote ${name} cannot be read, so it was not asked.\n`);
  }
}

/** `away since 2026-11-22 04:10:00: box (…) does not answer: nothing listens there.` */
export function describeState({ state, awaySince, problem, key }: MachineAnswer<unknown>): string {
  const since = state === "away" && awaySince !== null ? ` since ${localTime(awaySince)}` : "";
  const refused = state === "reachable" && key !== "valid" ? `, key ${key}` : "";
  return `${state}${refused}${since}${problem === undefined ? "." : `: ${escapeControls(problem)}`}`;
}

interface SectionStyle {
  readonly name: string;
  readonly order: ColumnOrder;
  readonly style: Style;
  readonly program: Io["program"];
}

function section(answer: MachineAnswer<readonly Row[]>, { name, order, style, program }: SectionStyle): string {
  const head = `${bold(answer.machine, style)}  ${dim(escapeControls(answer.url), style)}\n`;
  if (answer.value === undefined) return `${head}${withProgramName(describeState(answer), program)}\n`;
  return head + (answer.value.length === 0 ? `no ${name}\n` : table(answer.value, style, order));
}
