import { parseArgs } from "node:util";
import type { PendingLogin } from "../../../core/protocol/pending-login.ts";
import { UsageError } from "../options/options.ts";
import { type LocalCommand, type RunKeyOperation, withKeyOperations } from "./key-desk.ts";

const help = `Usage: patchbay approve <CODE> [options]
       patchbay approve

Lets the program in that shows this code and waits for it (\`service login\`). Without a code: lists what waits.
Approve only what you have started yourself: the program gets an API key of yours.

  --deny         refuse it instead
  --data DIR     where the data lives (default: the relay that SERVICE_URL
                 names, as in Patchbay's own shells; else the platform's own
                 place)
`;

/** `patchbay approve`: the user's answer to a login, from a terminal; the running relay notices. */
export const approveCommand: LocalCommand = {
  help,
  async run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { deny: { type: "boolean", default: false }, data: { type: "string" } },
    });
    const [code, ...more] = positionals;
    if (more.length > 0) throw new UsageError("approve takes one code");
    return withKeyOperations(values.data, async (run) => {
      if (code !== undefined) return answer(run, code, !values.deny);
      if (values.deny) throw new UsageError("approve --deny needs the code of the login");
      return waiting(await run("listLogins", {}));
    });
  },
};

async function answer(run: RunKeyOperation, code: string, allow: boolean): Promise<string> {
  await run("answerLogin", { code, allow });
  return allow ? "Allowed: the program that waits is logged in now.\n" : "Denied.\n";
}

function waiting(logins: readonly PendingLogin[]): string {
  if (logins.length === 0) return "No login waits for an answer.\n";
  return logins.map(({ code, name, address, since }) => `${code}  ${name}  from ${address}  since ${since}\n`).join("");
}
