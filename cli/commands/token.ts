import { type Command, Option } from "commander";
import { z } from "zod";
import { findKey } from "../../client/find-key.ts";
import { findRelay } from "../../client/find-relay.ts";
import { sendOAuthRequest } from "../../client/oauth-request.ts";
import { findRemoteKey, peerOf } from "../../client/remote-machine.ts";
import { nearestName } from "../../core/protocol/nearest.ts";
import { parseDuration } from "../../core/protocol/parse-duration.ts";
import { isScope, type Scope, scopes, scopeTable } from "../../core/protocol/scopes.ts";
import { callKeyOperation } from "../connect/key-operations.ts";
import { readTokenOption } from "../connect/token-option.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { type Globals, TOKEN_INPUT } from "../parse/global-options.ts";
import { alignedLines, printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import type { Io } from "../render/io.ts";
import { DATA_DESCRIPTION, ON_DESCRIPTION } from "./keys.ts";

const MAX_TTL_MS = 365 * 24 * 3_600_000;

interface TokenOptions extends Pick<Globals, "token" | "url" | "on" | "data"> {
  readonly scope?: readonly string[];
  readonly ttl: string;
}

/**
 * `patchbay token`: makes a bearer token for what an API key does not open (docs/decisions/0009). With `--url` or
 * `--token` the relay issues it for that key over HTTP; else it is made as `patchbay keys` makes keys. Returns the exit
 * code.
 */
export async function tokenCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = tokenParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<TokenOptions>();
  const overHttp = options.url !== undefined || options.token !== undefined;
  const { names, ttlMs } = withUsage(command, () => ({
    names: parseScopes(options.scope ?? []),
    ttlMs: parseTtl(options.ttl),
  }));
  const token = overHttp
    ? await requestToken(io, options, names, ttlMs)
    : (await callKeyOperation(io, options, "createToken", { scopes: [...names], ttl: ttlMs / 1000 })).secret;
  io.stdout.write(`${escapeControls(token)}\n`);
  return exitCodes.ok;
}

export function tokenParser(program: string): Command {
  const scope = new Option("--scope <scope>", "what the token is good for; may be repeated").argParser(
    (text: string, before: readonly string[] = []) => [...before, text],
  );
  return wordParser(program, "token", {
    description: "Makes a bearer token (Authorization: Bearer TOKEN) and prints it; it is shown once.",
    usage: "--scope <scope> [options]",
    examples: ["token --scope plugins:install", "token --scope plugins:install --ttl 7d --url http://127.0.0.1:7717"],
  })
    .addOption(scope)
    .option("--ttl <time>", "how long the token is good for, such as 30m, 1h or 7d", "1h")
    .option("--url <address>", "address of a relay that issues the token over HTTP")
    .option("--token <api_key>", `API key to get the token for, over HTTP${TOKEN_INPUT}`)
    .option("--data <folder>", DATA_DESCRIPTION)
    .option("--on <remote>", ON_DESCRIPTION)
    .addHelpText("after", `\nScopes:\n${alignedLines(Object.entries(scopeTable))}`);
}

function parseScopes(names: readonly string[]): readonly Scope[] {
  const known = `known scopes: ${scopes.join(", ")}`;
  if (names.length === 0) throw usageError(`token needs --scope SCOPE; ${known}.`);
  return [...new Set(names)].map((name) => {
    if (isScope(name)) return name;
    const near = nearestName(name, scopes);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    throw usageError(`--scope: no such scope: ${JSON.stringify(name)}; ${known}.${hint}`);
  });
}

/** Milliseconds. */
function parseTtl(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms <= MAX_TTL_MS) return ms;
  throw usageError(`--ttl: expected a time such as 30m, 1h or 7d, up to 365d, got ${JSON.stringify(text)}.`);
}

/** Gets a token by OAuth's client credentials grant. */
async function requestToken(
  io: Io,
  { token: given, ...target }: TokenOptions,
  names: readonly Scope[],
  ttlMs: number,
): Promise<string> {
  const { env } = io;
  const key = await readTokenOption(io, given);
  const { url, file, remote } = findRelay({ ...target, env });
  const { token } =
    remote === undefined
      ? await findKey({ token: key, env, account: file?.keyAccount })
      : await findRemoteKey(remote, { token: key, env });
  const form = { grant_type: "client_credentials", scope: names.join(" "), expires_in: String(ttlMs / 1000) };
  const response = await sendOAuthRequest(url, "token", {
    form,
    token,
    schema: z.object({ access_token: z.string() }),
    remote: remote === undefined ? undefined : peerOf(remote),
  });
  if (!response.ok) throw new CliError(exitCodes.refused, response.message);
  return response.value.access_token;
}
