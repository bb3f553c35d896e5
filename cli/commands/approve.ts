import type { Command } from "commander";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import { callKeyOperation } from "../connect/key-operations.ts";
import { exitCodes, usageError } from "../parse/exit-codes.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import type { Io } from "../render/io.ts";
import { DATA_DESCRIPTION, ON_DESCRIPTION } from "./keys.ts";

interface ApproveOptions {
  readonly deny?: boolean;
  readonly data?: string;
  readonly on?: string;
}

/** `patchbay approve`: answers a login from a terminal; the running relay notices. Returns the exit code. */
export async function approveCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = approveParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const [code] = command.args;
  const { deny = false, ...target } = command.opts<ApproveOptions>();
  if (code !== undefined) {
    await callKeyOperation(io, target, "answerLogin", { code, allow: !deny });
    io.stdout.write(deny ? "Denied.\n" : "Allowed: the program that waits is logged in now.\n");
    return exitCodes.ok;
  }
  withUsage(command, () => {
    if (deny) throw usageError("approve --deny needs the code of the login.");
  });
  io.stdout.write(describeLogins(await callKeyOperation(io, target, "listLogins", {})));
  return exitCodes.ok;
}

export function approveParser(program: string): Command {
  return wordParser(program, "approve", {
    description:
      "Allows the login of a program that waits with this code (`service login`). Without a code, lists the logins that wait.\n\nApprove only logins that you started yourself: the program gets an API key of yours.",
    usage: "[code] [options]",
    examples: ["approve", "approve ABCD-EFGH", "approve ABCD-EFGH --deny"],
  })
    .argument("[code]", "the code that the program shows")
    .option("--deny", "refuse the login instead")
    .option("--data <folder>", DATA_DESCRIPTION)
    .option("--on <remote>", ON_DESCRIPTION);
}

function describeLogins(logins: readonly PendingLogin[]): string {
  if (logins.length === 0) return "No login waits for an answer.\n";
  const line = ({ code, name, address, since }: PendingLogin) => `${code}  ${name}  from ${address}  since ${since}`;
  // The relay may be a remote.
  return logins.map((login) => `${escapeControls(line(login))}\n`).join("");
}
