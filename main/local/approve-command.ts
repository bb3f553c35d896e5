import { parseArgs } from "node:util";
import { RemoteError } from "../../core/protocol/errors.ts";
import { dataFolder } from "../folders.ts";
import type { LocalCommand } from "../local.ts";
import { UsageError } from "../options.ts";
import { shownUserCode, userCodeFrom } from "../relay/logins/user-code.ts";
import { LoginRows } from "../relay/store/login-rows.ts";
import { openStoreForCommand } from "./open-store-for-command.ts";

const help = `Usage: patchbay approve <CODE> [options]
       patchbay approve

Lets the program in that shows this code and waits for it (\`service login\`). Without a code: lists what waits.
Approve only what you have started yourself: the program gets an API key of yours.

  --deny         refuse it instead
  --data DIR     where the data lives (default: the platform's own place)
`;

/** `patchbay approve`: the user's answer to a login, from a terminal; the running relay notices. */
export const approveCommand: LocalCommand = {
  help,
  run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { deny: { type: "boolean", default: false }, data: { type: "string" } },
    });
    const [code, ...more] = positionals;
    if (more.length > 0) throw new UsageError("approve takes one code");
    return withLogins(values.data, (rows) => {
      if (code !== undefined) return answer(rows, code, values.deny ? "denied" : "allowed");
      if (values.deny) throw new UsageError("approve --deny needs the code of the login");
      return waiting(rows);
    });
  },
};

function answer(rows: LoginRows, code: string, verdict: "allowed" | "denied"): string {
  if (rows.answer(userCodeFrom(code), verdict, new Date().toISOString())) {
    return verdict === "allowed" ? "Allowed: the program that waits is logged in now.\n" : "Denied.\n";
  }
  throw new RemoteError(
    "unknown_login",
    `No login waits with the code ${JSON.stringify(code.slice(0, 40))}: it was answered, has expired, or was mistyped.`,
  );
}

function waiting(rows: LoginRows): string {
  const logins = rows.waiting(new Date().toISOString());
  if (logins.length === 0) return "No login waits for an answer.\n";
  return logins
    .map(({ code, name, address, since }) => `${shownUserCode(code)}  ${name}  from ${address}  since ${since}\n`)
    .join("");
}

function withLogins<T>(data: string | undefined, act: (rows: LoginRows) => T): T {
  const { database, close } = openStoreForCommand(dataFolder(data, process.env));
  try {
    return act(new LoginRows(database));
  } finally {
    close();
  }
}
