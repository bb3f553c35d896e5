import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { RemoteError } from "../core/protocol/errors.ts";
import { dataFolder } from "./folders.ts";
import { UsageError } from "./options.ts";
import { Keys } from "./relay/keys.ts";
import { openStore, StoreError } from "./relay/store/open-store.ts";
import { Store } from "./relay/store/store.ts";

const HELP = `Usage: patchbay keys <create|list|revoke> [options]

  create --name NAME    make an API key and print it, once
  list                  names, ids, when made and last used
  revoke NAME-OR-ID     end a key

  --data DIR            where the data lives (default: the platform's own place)
  --json                list as JSON
`;

/**
 * Commands that work on the data folder itself, for the user who owns it, whether the relay runs or not. Answers the
 * exit code.
 */
export async function main(name: string, args: readonly string[]): Promise<number> {
  if (name !== "keys") return usage(`no such command: ${name}`);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: "string" },
        data: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const [action, which] = positionals;
    return withKeys(values.data, (keys) => {
      if (action === "create") return create(keys, values.name);
      if (action === "list") return list(keys, values.json);
      if (action === "revoke") return revoke(keys, which ?? values.name);
      return usage(action === undefined ? "say what to do with keys" : `no such action: ${action}`);
    });
  } catch (error) {
    if (error instanceof StoreError || error instanceof RemoteError) return fail(error.message, 1);
    if (error instanceof UsageError || error instanceof TypeError) return usage(error.message);
    throw error;
  }
}

function withKeys(data: string | undefined, act: (keys: Keys) => number): number {
  const { database, damaged } = openStore(dataFolder(data, process.env));
  const store = new Store(database);
  try {
    if (damaged !== undefined) process.stderr.write(`patchbay: the database was damaged and is kept as ${damaged}\n`);
    return act(new Keys(store));
  } finally {
    store.close();
  }
}

function create(keys: Keys, name: string | undefined): number {
  if (name === undefined || name.trim() === "") return usage("keys create needs --name NAME");
  const { secret } = keys.create({ owner: userInfo().username, name: name.trim().slice(0, 100) });
  process.stdout.write(`${secret}\n`);
  return 0;
}

function list(keys: Keys, json: boolean): number {
  const rows = keys.list().map(({ digest: _, ...row }) => row);
  if (json || !process.stdout.isTTY) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) process.stdout.write("No keys yet: `patchbay keys create --name NAME` makes one.\n");
  else {
    const width = Math.max(...rows.map((row) => row.name.length), 4);
    for (const row of rows) {
      process.stdout.write(
        `${row.id}  ${row.name.padEnd(width)}  made ${row.createdAt}  last used ${row.lastUsedAt ?? "never"}\n`,
      );
    }
  }
  return 0;
}

function revoke(keys: Keys, which: string | undefined): number {
  if (which === undefined) return usage("keys revoke needs the name or the id of a key");
  const key = keys.revoke(which);
  process.stdout.write(`Key ${key.name} is revoked.\n`);
  return 0;
}

function usage(message: string): number {
  process.stderr.write(`patchbay: ${message}\n\n${HELP}`);
  return 2;
}

function fail(message: string, code: number): number {
  process.stderr.write(`patchbay: ${message}\n`);
  return code;
}
