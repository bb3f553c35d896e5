import { Command, Option } from "commander";
import { z } from "zod";
import { parseDuration } from "../../core/protocol/parse-duration.ts";
import { findKey } from "../connect/find-key.ts";
import { findRelay } from "../connect/find-relay.ts";
import { askOAuth } from "../connect/oauth.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { parseWith } from "../parse/parse-command.ts";
import type { Io } from "../render/io.ts";
import { elsewhere } from "./run-main-module.ts";

interface TokenOptions extends Globals {
  readonly scope: readonly string[];
  readonly ttl: string;
}

/**
 * `service token`: a bearer token. With `--url` or `--token` the relay gives it for that key; else it is made in the data
 * folder, which only its user can.
 */
export async function tokenCommand(io: Io, words: readonly string[]): Promise<number | undefined> {
  const overHttp = words.some((word) => /^--(url|token)(=|$)/.test(word));
  if (!overHttp) return elsewhere("token", "local", words);
  const command = tokenOptions(io.program);
  const help = parseWith(command, words);
  if (help !== undefined) {
    io.out.write(help);
    return exitCodes.ok;
  }
  const { scope, ttl, token: given, url: address, data } = command.opts<TokenOptions>();
  if (scope.length === 0) throw usageError("token needs --scope SCOPE, for example plugins:install.");
  const ms = parseDuration(ttl);
  if (ms === undefined || ms < 1000) {
    throw usageError(`--ttl: expected a time such as 30m, 1h or 7d, got ${JSON.stringify(ttl)}.`);
  }
  const { url, file } = findRelay({ url: address, data, env: io.env });
  const { token } = await findKey({ token: given, env: io.env, account: file?.keyAccount });
  const form = { grant_type: "client_credentials", scope: scope.join(" "), expires_in: String(ms / 1000) };
  const answer = await askOAuth(url, "token", { form, token, schema: z.object({ access_token: z.string() }) });
  if (!answer.ok) throw new CliError(exitCodes.refused, answer.message);
  io.out.write(`${answer.value.access_token}\n`);
  return exitCodes.ok;
}

export function tokenOptions(program: string): Command {
  const scope = new Option("--scope <scope>", "what the token is good for; may be given several times")
    .default([])
    .argParser((text: string, before: readonly string[]) => [...before, text]);
  const command = new Command("token")
    .description("Get a bearer token for an API key, over HTTP")
    .usage(`${program} token --scope <scope> --url <address> [options]`)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ commandUsage: (shown) => shown.usage() })
    .addOption(scope)
    .option("--ttl <time>", "how long it is good for, such as 30m, 1h or 7d", "1h")
    .addHelpText("after", `\nExamples:\n  ${program} token --scope plugins:install --url http://127.0.0.1:7717`);
  return addGlobals(command, { except: ["session", "client", "json", "timeout"] });
}
