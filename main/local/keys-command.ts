import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import type { LocalCommand } from "../local.ts";
import { UsageError } from "../options.ts";
import type { Keys } from "../relay/keys.ts";
import { withKeys } from "./with-keys.ts";

const help = `Usage: patchbay keys <create|list|revoke> [options]

  create --name NAME    make an API key and print it, once
  list                  names, ids, when made and last used
  revoke NAME-OR-ID     end a key or a token

  --data DIR            where the data lives (default: the platform's own place)
  --json                list as JSON
`;

/** `patchbay keys`: the user's API keys and tokens. */
export const keysCommand: LocalCommand = {
  help,
  run(args) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: "string" },
        data: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const [action, which] = positionals;
    return withKeys(values.data, (keys) => {
      if (action === "create") return create(keys, values.name);
      if (action === "list") return list(keys, values.json);
      if (action === "revoke") return revoke(keys, which ?? values.name);
      throw new UsageError(action === undefined ? "say what to do with keys" : `no such action: ${action}`);
    });
  },
};

function create(keys: Keys, name: string | undefined): string {
  if (name === undefined || name.trim() === "") throw new UsageError("keys create needs --name NAME");
  const { secret } = keys.create({ owner: userInfo().username, name: name.trim().slice(0, 100) });
  return `${secret}\n`;
}

function list(keys: Keys, json: boolean): string {
  const rows = keys.list().map(({ digest: _, ...row }) => row);
  if (json || !process.stdout.isTTY) return `${JSON.stringify(rows)}\n`;
  if (rows.length === 0) return "No keys yet: `patchbay keys create --name NAME` makes one.\n";
  const width = Math.max(...rows.map((row) => row.name.length), 4);
  return rows
    .map(
      (row) =>
        `${row.id}  ${row.name.padEnd(width)}  made ${row.createdAt}  last used ${row.lastUsedAt ?? "never"}${expiry(row.expiresAt)}\n`,
    )
    .join("");
}

function expiry(at: string | null): string {
  return at === null ? "" : `  good until ${at}`;
}

function revoke(keys: Keys, which: string | undefined): string {
  if (which === undefined) throw new UsageError("keys revoke needs the name or the id of a key");
  return `Key ${keys.revoke(which).name} is revoked.\n`;
}
