import { parseArgs } from "node:util";
import type { KeyRecord } from "../../../core/operations/keys.ts";
import { describeRestrictions, type KeyRestrictions } from "../../../core/protocol/key-restrictions.ts";
import { parseDuration } from "../../../core/protocol/parse-duration.ts";
import { UsageError } from "../options/options.ts";
import { type LocalCommand, type RunKeyOperation, withKeyOperations } from "./key-desk.ts";
import { keyRestrictions } from "./key-restrictions.ts";

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

  --data DIR            where the data lives (default: the relay that SERVICE_URL
                        names, as in Patchbay's own shells; else the platform's
                        own place)
  --json                list as JSON
`;

/** `patchbay keys`: the user's API keys and tokens. */
export const keysCommand: LocalCommand = {
  help,
  async run(args) {
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
    return withKeyOperations(values.data, async (run) => {
      if (action === "create") return create(run, { name: values.name, restrictions, ttlMs });
      if (action === "list") return list(await run("listKeys", {}), values.json);
      if (action === "revoke") return revoke(run, which ?? values.name);
      throw new UsageError(action === undefined ? "say what to do with keys" : `no such action: ${action}`);
    });
  },
};

interface Wanted {
  readonly name: string | undefined;
  readonly restrictions: KeyRestrictions;
  readonly ttlMs: number | undefined;
}

async function create(run: RunKeyOperation, { name, restrictions, ttlMs }: Wanted): Promise<string> {
  if (name === undefined || name.trim() === "") throw new UsageError("keys create needs --name NAME");
  const ttl = ttlMs === undefined ? {} : { ttl: ttlMs / 1000 };
  const { secret } = await run("createKey", { name: name.trim().slice(0, 100), restrictions, ...ttl });
  return `${secret}\n`;
}

function ttlOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= LONGEST_TTL_MS) return ms;
  throw new UsageError(`--expires: expected a time such as 30m, 12h or 30d, up to 3650d, got ${JSON.stringify(text)}.`);
}

function list(rows: readonly KeyRecord[], json: boolean): string {
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
function scopeOf({ scheme, scopes, restrictions }: KeyRecord): string {
  if (scheme === "bearer") return `token for ${scopes.join(", ")}`;
  return describeRestrictions(restrictions) || "everything";
}

function expiry(at: string | null): string {
  if (at === null) return "";
  return Date.parse(at) <= Date.now() ? `  expired ${at}` : `  good until ${at}`;
}

async function revoke(run: RunKeyOperation, which: string | undefined): Promise<string> {
  if (which === undefined) throw new UsageError("keys revoke needs the name or the id of a key");
  return `Key ${(await run("revokeKey", { key: which })).name} is revoked.\n`;
}
