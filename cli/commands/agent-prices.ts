import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { MAX_PRICE_LIST } from "../../core/protocol/prices.ts";
import { connect } from "../connect/connect.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

/** The actions with their arguments, and what they do. */
export const priceActionRows: readonly (readonly [usage: string, summary: string])[] = [
  ["prices", "show which price list is used, how old it is, and which models it does not know"],
  ["prices update <file|url>", "install a newer price list that the project has signed"],
];

const FETCH_MS = 30_000;
const MAX_REDIRECTS = 5;

/** `service agents prices [update <file|url>]`. Returns the exit code. */
export async function agentPricesCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = agentPricesParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const source = withUsage(command, () => sourceOf(command.args));
  const globals = command.opts<Globals>();
  const list = source === undefined ? undefined : await readList(source, io.cwd ?? process.cwd());
  const client = await connect(io, globals);
  const result = await (list === undefined
    ? client.operation("getPrices", {})
    : client.operation("updatePrices", { list }));
  io.stdout.write(await formatResult({}, result, styleOf(io, globals.json === true)));
  return exitCodes.ok;
}

function agentPricesParser(program: string): Command {
  const command = wordParser(program, "agents", {
    description:
      "Shows the price list by which agents' calls are counted, or installs a newer one. Nothing is fetched unless you give an address, and only what the project has signed is installed.",
    usage: "prices [update <file|url>] [options]",
    actions: priceActionRows,
    examples: ["agents prices", "agents prices update prices-2026-11-20.json"],
  });
  return addGlobals(command, { except: ["session", "client"] });
}

/** @throws CliError for words that are not of these actions */
function sourceOf([, action, source, ...more]: readonly string[]): string | undefined {
  if (action === undefined) return undefined;
  if (action !== "update") throw usageError(`agents prices: no action ${JSON.stringify(action)}.`);
  if (source === undefined) throw usageError("agents prices update: expected a file or an address.");
  if (more.length > 0) throw usageError(`agents prices: unexpected argument ${JSON.stringify(more[0])}.`);
  return source;
}

async function readList(source: string, folder: string): Promise<string> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return fetchPriceList(source);
  const path = resolve(folder, source);
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw usageError(`${source} is not a file.`);
    if (facts.size > MAX_PRICE_LIST) throw tooLong(source);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`${source} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/**
 * Fetches a list, by https only, redirects included.
 *
 * @throws CliError for another address, an answer that is none or too long, and after 30 seconds
 */
export async function fetchPriceList(address: string, get: typeof fetch = fetch): Promise<string> {
  const signal = AbortSignal.timeout(FETCH_MS);
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!URL.canParse(url) || new URL(url).protocol !== "https:")
      throw usageError(`${url}: expected an https address.`);
    const response = await get(url, { redirect: "manual", signal }).catch((error: unknown) => {
      throw unfetched(url, error instanceof Error ? describe(error) : String(error));
    });
    const next = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || next === null) return textOf(url, response);
    url = new URL(next, url).href;
  }
  throw unfetched(address, `more than ${MAX_REDIRECTS} redirects`);
}

async function textOf(url: string, response: Response): Promise<string> {
  if (!response.ok || response.body === null) throw unfetched(url, `status ${response.status}`);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body) {
    length += piece.length;
    if (length > MAX_PRICE_LIST) throw tooLong(url);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function describe(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function unfetched(url: string, reason: string): CliError {
  return new CliError(exitCodes.refused, `${url} could not be fetched: ${reason}.`);
}

function tooLong(source: string): CliError {
  return usageError(`${source} is too long for a price list.`);
}
