import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { parseDuration } from "../../core/protocol/parse-duration.ts";
import type { LocalCommand } from "../local.ts";
import { UsageError } from "../options.ts";
import type { Keys } from "../relay/keys.ts";
import { type KeyRestrictions, restrictionsInWords } from "../relay/permits/restrictions.ts";
import type { KeyRow } from "../relay/store/store.ts";
import { keyRestrictions } from "./key-restrictions.ts";
import { withKeys } from "./with-keys.ts";

const LONGEST_TTL_MS = 3650 * 24 * 3_600_000;

const help = `Usage: patchbay keys <create|list|revoke> [options]

  create --name NAME    make an API key and print it, once
  list                  names, ids, scope, when made, last used and until when good
  revoke NAME-OR-ID     end a key or a token

How far a new key reaches; without these, as far as its owner:
  --read-only           it only reads
  --methods PATTERNS    it calls only methods or commands that fit, for example 'get*,list*,toast'
  --own-shells          it changes only shells that were made with it, and their tiles
  --expires TIME        it is good for that long, such as 12h or 30d

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
        "read-only": { type: "boolean", default: false },
        methods: { type: "string" },
        "own-shells": { type: "boolean", default: false },
        expires: { type: "string" },
        data: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const [action, which] = positionals;
    const restrictions = keyRestrictions(values);
    const ttlMs = values.expires === undefined ? undefined : ttlOf(values.expires);
    if (action !== "create" && (ttlMs !== undefined || Object.keys(restrictions).length > 0)) {
      throw new UsageError("--read-only, --methods, --own-shells and --expires belong to `keys create`.");
    }
    return withKeys(values.data, (keys) => {
      if (action === "create") return create(keys, { name: values.name, restrictions, ttlMs });
      if (action === "list") return list(keys, values.json);
      if (action === "revoke") return revoke(keys, which ?? values.name);
      throw new UsageError(action === undefined ? "say what to do with keys" : `no such action: ${action}`);
    });
  },
};

interface Wanted {
  readonly name: string | undefined;
  readonly restrictions: KeyRestrictions;
  readonly ttlMs: number | undefined;
}

function create(keys: Keys, { name, restrictions, ttlMs }: Wanted): string {
  if (name === undefined || name.trim() === "") throw new UsageError("keys create needs --name NAME");
  const { secret } = keys.create({
    owner: userInfo().username,
    name: name.trim().slice(0, 100),
    restrictions,
    ...(ttlMs === undefined ? {} : { ttlMs }),
  });
  return `${secret}\n`;
}

function ttlOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= LONGEST_TTL_MS) return ms;
  throw new UsageError(`--expires: expected a time such as 30m, 12h or 30d, up to 3650d, got ${JSON.stringify(text)}.`);
}

function list(keys: Keys, json: boolean): string {
  const rows = keys.list().map(({ digest: _, ...row }) => row);
  if (json || !process.stdout.isTTY) return `${JSON.stringify(rows)}\n`;
  if (rows.length === 0) return "No keys yet: `patchbay keys create --name NAME` makes one.\n";
  const width = Math.max(...rows.map((row) => row.name.length), 4);
  return rows
    .map(
      (row) =>
        `${row.id}  ${row.name.padEnd(width)}  ${scopeOf(row)}  made ${row.createdAt}  last used ${row.lastUsedAt ?? "never"}${expiry(row.expiresAt)}\n`,
    )
    .join("");
}

/** What the key opens, in words. */
function scopeOf({ scheme, scopes, restrictions }: Omit<KeyRow, "digest">): string {
  if (scheme === "bearer") return `token for ${scopes.join(", ")}`;
  return restrictionsInWords(restrictions) || "everything";
}

function expiry(at: string | null): string {
  if (at === null) return "";
  return Date.parse(at) <= Date.now() ? `  expired ${at}` : `  good until ${at}`;
}

function revoke(keys: Keys, which: string | undefined): string {
  if (which === undefined) throw new UsageError("keys revoke needs the name or the id of a key");
  return `Key ${keys.revoke(which).name} is revoked.\n`;
}
