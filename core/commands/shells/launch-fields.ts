import { z } from "zod";
import { RemoteError } from "../../protocol/errors.ts";
import { Argv, FixedTitle, Variables } from "../../protocol/launch.ts";

/** Launch parameters of every command that starts a shell. */
export const launchFields = {
  command: z.string().min(1).max(65_536).optional().describe("first command line, typed once the shell takes input"),
  exec: Argv.optional().describe("program and its arguments, to run instead of a shell"),
  env: Variables.optional().describe("environment variables, by name"),
  title: FixedTitle.optional().describe("title that programs do not change"),
  hold: z
    .boolean()
    .optional()
    .describe("keep the tile when the program ended with exit code 0; default: for shells, not for `exec`"),
};

/** Description of the launch parameters, for the command's details. */
export const launchDetails =
  "`exec` runs a program without a shell around it: the words are its arguments as they are, and it is looked up in PATH. Its tile closes when it ends with exit code 0, unless `hold` is set; after a failure the tile stays, so that the reason can be read. The output is kept either way. `env` adds variables; those that start with SERVICE_ or PATCHBAY_ are refused.";

/** Help note on `--exec`, for each spelling. */
export const launchNote =
  "`--exec 'LINE'` splits the line into words as a shell does, quotes and backslashes included, and expands nothing. With more words the program is given exactly: `--exec PROGRAM ARG…`, or `-- PROGRAM ARG…`, which also takes arguments that begin with a dash. `--env NAME=VALUE` may be repeated.";

/** Rejects `command` together with `exec`: only a shell can run a first command line. */
export function checkLaunch({ command, exec }: { command?: string | undefined; exec?: readonly string[] | undefined }) {
  if (command === undefined || exec === undefined) return;
  throw new RemoteError("invalid_params", "params.command: expected one of `exec` and `command`, got both.");
}
