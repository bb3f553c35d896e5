import { Command, Option } from "commander";
import { Role } from "../../core/protocol/records.ts";
import { connect } from "../connect/connect.ts";
import { exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { numberFrom } from "../parse/number-from.ts";
import { parseWith } from "../parse/parse-command.ts";
import { type Io, styleOf } from "../render/io.ts";
import { printed } from "../render/print-result.ts";

interface InviteOptions extends Globals {
  readonly role: Role;
  readonly ttl: number;
  readonly uses: number;
  readonly outside: boolean;
}

/** `service invite`: makes an invite link to the session and prints it. Answers the exit code. */
export async function inviteCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = inviteOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const { role, ttl, uses, outside, ...globals } = command.opts<InviteOptions>();
  const invite = await (await connect(io, globals)).invite({ role, ttl, uses, outside });
  const whole = globals.json === true || !io.out.isTTY;
  io.out.write(whole ? await printed({}, invite, styleOf(io, true)) : `${invite.url}\n`);
  return exitCodes.ok;
}

function inviteOptions(program: string): Command {
  const command = new Command("invite")
    .description("Make a link that lets a browser into a session. Whoever opens it first is in.")
    .usage(`${program} invite [options]`)
    .configureHelp({ commandUsage: (shown) => shown.usage() })
    .addOption(new Option("--role <role>", "what the guest may do").choices(Role.options).default("writer"))
    .addOption(new Option("--ttl <seconds>", "until the link expires").argParser(numberOf("--ttl")).default(3600))
    .addOption(new Option("--uses <number>", "browsers that it lets in").argParser(numberOf("--uses")).default(1))
    .addOption(new Option("--outside", "for other machines, where `serve --listen` lets them in").default(false))
    .addHelpText(
      "after",
      `\nExamples:\n  ${program} invite\n  ${program} invite --role reader --ttl 600\n  ${program} invite --outside`,
    );
  return addGlobals(command, { except: ["client"] });
}

function numberOf(option: string): (text: string) => number {
  return (text) => numberFrom(text, option);
}
