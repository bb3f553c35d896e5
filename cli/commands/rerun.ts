import { NeedsOwnProcess } from "../../client/errors.ts";
import { checkResult } from "../../client/service-error.ts";
import { historyOperations } from "../../core/operations/history.ts";
import { ConversationResume } from "../../core/protocol/conversations.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { escapeControls } from "../render/cell.ts";
import type { Io } from "../render/io.ts";

/** The line that is entered. For a conversation that is resumed the variables of the shell are told, too. */
const ShownLine = historyOperations.rerunCommand.result.extend({ env: ConversationResume.shape.env.default({}) });

/**
 * Shows which line would be entered where, and enters it if the user at the terminal agrees. Resolves to the result.
 *
 * @throws CliError if the user does not agree; NeedsOwnProcess in a relay, which has no terminal of the caller's
 */
export async function rerunIfAgreed(
  io: Io,
  {
    call,
    url,
  }: { readonly call: (params: Readonly<Record<string, unknown>>) => Promise<unknown>; readonly url: string },
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (io.inRelay !== undefined) throw new NeedsOwnProcess("the caller's terminal is asked");
  const { command, cwd, env, shellId } = checkResult(ShownLine, await call(params), url);
  const place = shellId === null ? "a new shell" : `shell ${shellId}`;
  const lines = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command];
  // A folder may have a line break in its name, which would show lines of its own.
  const entered = lines.map((line) => `    ${escapeControls(line)}\n`).join("");
  io.stderr.write(`In ${place}, in ${escapeControls(cwd)}:\n\n${entered}\n`);
  const answer = await io.ask?.("Run it? [y/N] ", { secret: false });
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return call({ ...params, yes: true });
  throw new CliError(exitCodes.refused, "nothing was run. Agree with --yes.");
}
