import type { Command } from "commander";
import { findMachines, type MachineAnswer } from "../../client/ask-machines.ts";
import type { SessionEvent } from "../../client/event-stream.ts";
import { followEvents, type MachineEvent, readKeptEvents } from "../../client/merge-events.ts";
import { RelayEvent } from "../../core/protocol/events.ts";
import { connect } from "../connect/connect.ts";
import { noneAnswered, warnOfChange, warnOfDamaged, warnOfMissing } from "../machines/print-machines.ts";
import { CliError, exitCodes, signalExitCodes } from "../parse/exit-codes.ts";
import { addGlobals, allMachinesOption, checkAllMachines, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { eventsSummary } from "../parse/words.ts";
import { escapeControls, localTime } from "../render/cell.ts";
import { bold, dim } from "../render/colour.ts";
import { jsonLine } from "../render/format-result.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";

/** Names that `--types` takes. */
function eventTypes(): string[] {
  return RelayEvent.options.map((option) => option.shape.type.value);
}

interface EventWords extends Globals {
  readonly follow?: boolean;
  readonly types?: string;
  readonly all?: boolean;
}

/**
 * `service events`, `service func events`: one line for each event. Returns the exit code; following ends with the relay
 * or Ctrl-C.
 */
export async function eventsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = eventsParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { follow = false, types, all = false, ...globals } = command.opts<EventWords>();
  const style = styleOf(io, globals.json === true);
  const names = types?.split(",").map((name) => name.trim());
  if (all) {
    checkAllMachines(globals);
    return allEvents(io, { data: globals.data, follow, types: names, style });
  }
  const client = await connect(io, globals);
  for await (const event of client.events({ follow, ...(names === undefined ? {} : { types: names }) })) {
    io.stdout.write(line(event, style));
  }
  if (!follow) return exitCodes.ok;
  throw new CliError(exitCodes.unreachable, "The relay has ended the stream of events.");
}

export function eventsParser(program: string): Command {
  const command = wordParser(program, "events", {
    description: `${eventsSummary}.`,
    examples: ["events --follow", "events --types shell.created,shell.exited", "events --all --follow"],
  })
    .option("--follow", "print new events as they occur, instead of the kept ones")
    .option("--types <names>", `only these, separated by commas: ${eventTypes().join(", ")}`)
    .addOption(allMachinesOption());
  return addGlobals(command, { except: ["client"] });
}

interface AllEvents {
  readonly data: string | undefined;
  readonly follow: boolean;
  readonly types: readonly string[] | undefined;
  readonly style: Style;
}

/** Events of all sessions of every machine, in the order of their arrival here. */
async function allEvents(io: Io, { data, follow, types, style }: AllEvents): Promise<number> {
  const { machines, damaged } = findMachines({ env: io.env, data });
  warnOfDamaged(io, damaged);
  const onEvent = (event: MachineEvent) => io.stdout.write(line(event, style));
  if (follow) {
    if (machines.length === 0) throw noneAnswered(0);
    const abort = new AbortController();
    const stop = io.onInterrupt?.(() => abort.abort());
    const onChange = (answer: MachineAnswer<unknown>) => warnOfChange(io, answer);
    await Promise.all(
      machines.map((machine) => followEvents(machine, { types, onEvent, onChange, signal: abort.signal })),
    );
    stop?.();
    return signalExitCodes.SIGINT;
  }
  const answers = await Promise.all(machines.map((machine) => readKeptEvents(machine, { types, onEvent })));
  warnOfMissing(io, answers);
  if (answers.some(({ value }) => value !== undefined)) return exitCodes.ok;
  throw noneAnswered(answers.length);
}

function line(event: SessionEvent | MachineEvent, style: Style): string {
  const { id, type, seq, at, data } = event;
  const origin = "machine" in event ? { machine: event.machine, session: event.session } : {};
  if (style.json || !style.isTTY) return jsonLine({ ...origin, id, seq, at, type, data });
  const when = at === undefined ? "" : `${dim(localTime(at), style)}  `;
  const where =
    "machine" in event ? `${bold(escapeControls(event.machine), style)}  ${escapeControls(event.session)}  ` : "";
  return `${when}${where}${escapeControls(type)}  ${escapeControls(JSON.stringify(data) ?? "")}\n`;
}
