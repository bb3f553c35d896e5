import { NeedsOwnProcess } from "../../client/errors.ts";
import { checkResult } from "../../client/service-error.ts";
import { historyOperations } from "../../core/operations/history.ts";
import { ConversationResume } from "../../core/protocol/conversations.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { escapeControlsInLines } from "../render/cell.ts";
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
  const variables = Object.entries(env).map(([name, value]) => `    ${name}=${value}\n`);
  io.stderr.write(escapeControlsInLines(`In ${place}, in ${cwd}:\n\n${variables.join("")}    ${command}\n\n`));
  const answer = await io.ask?.("Run it? [y/N] ", { secret: false });
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return call({ ...params, yes: true });
  throw new CliError(exitCodes.refused, "nothing was run. Agree with --yes.");
}
