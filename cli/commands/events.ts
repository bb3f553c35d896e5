import { Command } from "commander";
import { RelayEvent } from "../../core/protocol/events.ts";
import { connect } from "../connect/connect.ts";
import type { SessionEvent } from "../connect/remote-client.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseWith } from "../parse/parse-command.ts";
import { eventsSummary } from "../parse/words.ts";
import { localTime, visible } from "../render/cell.ts";
import { dim } from "../render/colour.ts";
import { type Io, type Style, styleOf } from "../render/io.ts";

/** Names that `--types` takes. */
export function eventTypes(): string[] {
  return RelayEvent.options.map((option) => option.shape.type.value);
}

/** `service func events`: one line an event. Answers the exit code; following ends with the relay or Ctrl-C. */
export async function eventsCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = eventsOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const { follow = false, types, ...globals } = command.opts<Globals & { follow?: boolean; types?: string }>();
  const client = await connect(io, globals);
  const style = styleOf(io, globals.json === true);
  const names = types?.split(",").map((name) => name.trim());
  for await (const event of client.events({ follow, ...(names === undefined ? {} : { types: names }) })) {
    io.out.write(line(event, style));
  }
  if (!follow) return exitCodes.ok;
  throw new CliError(exitCodes.unreachable, "The relay has ended the stream of events.");
}

export function eventsOptions(program: string): Command {
  const command = new Command("events")
    .description(eventsSummary)
    .usage(`${program} func events [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage() })
    .option("--follow", "go on with new ones, instead of those that are kept")
    .option("--types <names>", `only these, separated by commas: ${eventTypes().join(", ")}`)
    .addHelpText(
      "after",
      `\nExamples:\n  ${program} func events --follow\n  ${program} func events --types shell.created,shell.exited`,
    );
  return addGlobals(command, { except: ["client"] });
}

function line(event: SessionEvent, style: Style): string {
  const { id, type, seq, at, data } = event;
  if (style.json || !style.isTTY) return `${JSON.stringify({ id, seq, at, type, data })}\n`;
  const when = at === undefined ? "" : `${dim(localTime(at), style)}  `;
  return `${when}${type}  ${visible(JSON.stringify(data) ?? "")}\n`;
}
