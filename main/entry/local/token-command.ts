import { parseArgs } from "node:util";
import { nearestName } from "../../../core/protocol/nearest.ts";
import { parseDuration } from "../../../core/protocol/parse-duration.ts";
import { isScope, type Scope, scopes, scopeTable } from "../../../core/protocol/scopes.ts";
import { UsageError } from "../options/options.ts";
import { type LocalCommand, withKeyOperations } from "./key-desk.ts";

const LONGEST_TTL_MS = 365 * 24 * 3_600_000;

const help = `Usage: patchbay token --scope SCOPE [options]

Makes a bearer token (Authorization: Bearer TOKEN) and prints it, once.

  --scope SCOPE    what the token is good for; may be given several times
  --ttl TIME       how long it is good for, such as 30m, 1h or 7d (default 1h)
  --data DIR       where the data lives (default: the relay that SERVICE_URL
                   names, as in Patchbay's own shells; else the platform's
                   own place)

Scopes:
${scopes.map((scope) => `  ${scope.padEnd(16)} ${scopeTable[scope]}\n`).join("")}`;

/** `patchbay token`: makes a bearer token for what an API key does not open (docs/decisions/0009). */
export const tokenCommand: LocalCommand = {
  help,
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        scope: { type: "string", multiple: true, default: [] },
        ttl: { type: "string", default: "1h" },
        data: { type: "string" },
      },
    });
    const wanted = scopesOf(values.scope);
    const ttlMs = ttlOf(values.ttl);
    return withKeyOperations(values.data, async (run) => {
      const { secret } = await run("createToken", { scopes: [...wanted], ttl: ttlMs / 1000 });
      return `${secret}\n`;
    });
  },
};

function scopesOf(names: readonly string[]): readonly Scope[] {
  const known = `known scopes: ${scopes.join(", ")}`;
  if (names.length === 0) throw new UsageError(`token needs --scope SCOPE; ${known}.`);
  return [...new Set(names)].map((name) => {
    if (isScope(name)) return name;
    const meant = nearestName(name, scopes);
    const offer = meant === undefined ? "" : ` Did you mean ${meant}?`;
    throw new UsageError(`--scope: no such scope: ${JSON.stringify(name)}; ${known}.${offer}`);
  });
}

function ttlOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= LONGEST_TTL_MS) return ms;
  throw new UsageError(`--ttl: expected a time such as 30m, 1h or 7d, up to 365d, got ${JSON.stringify(text)}.`);
}
