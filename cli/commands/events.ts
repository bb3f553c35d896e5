import type { Command } from "commander";
import { RelayEvent } from "../../core/protocol/events.ts";
import { connect } from "../connect/connect.ts";
import type { SessionEvent } from "../connect/remote-client.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { eventsSummary } from "../parse/words.ts";
import { escapeControls, localTime } from "../render/cell.ts";
import { dim } from "../render/colour.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";

/** Names that `--types` takes. */
export function eventTypes(): string[] {
  return RelayEvent.options.map((option) => option.shape.type.value);
}

/** `service func events`: one line for each event. Returns the exit code; following ends with the relay or Ctrl-C. */
export async function eventsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = eventsParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { follow = false, types, ...globals } = command.opts<Globals & { follow?: boolean; types?: string }>();
  const client = await connect(io, globals);
  const style = styleOf(io, globals.json === true);
  const names = types?.split(",").map((name) => name.trim());
  for await (const event of client.events({ follow, ...(names === undefined ? {} : { types: names }) })) {
    io.stdout.write(line(event, style));
  }
  if (!follow) return exitCodes.ok;
  throw new CliError(exitCodes.unreachable, "The relay has ended the stream of events.");
}

export function eventsParser(program: string): Command {
  const command = wordParser(program, "func events", {
    description: `${eventsSummary}.`,
    examples: ["func events --follow", "func events --types shell.created,shell.exited"],
  })
    .option("--follow", "print new events as they occur, instead of the kept ones")
    .option("--types <names>", `only these, separated by commas: ${eventTypes().join(", ")}`);
  return addGlobals(command, { except: ["client"] });
}

function line(event: SessionEvent, style: Style): string {
  const { id, type, seq, at, data } = event;
  if (style.json || !style.isTTY) return `${JSON.stringify({ id, seq, at, type, data })}\n`;
  const when = at === undefined ? "" : `${dim(localTime(at), style)}  `;
  return `${when}${type}  ${escapeControls(JSON.stringify(data) ?? "")}\n`;
}
