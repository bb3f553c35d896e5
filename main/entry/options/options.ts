import { parseWith } from "../../../cli/parse/parse-command.ts";
import { type RelayWords, relayParser } from "../../../cli/parse/relay-options.ts";
import { COMMAND_TIMEOUT_MS, limits } from "../../../core/protocol/limits.ts";
import { dataFolder } from "../../system/folders.ts";
import { type LogLevel, logLevels } from "../logging/log-levels.ts";
import { type ListenAddresses, parseListenOptions } from "./listen-option.ts";
import { UsageError } from "./usage-error.ts";

export { UsageError };

const DEFAULT_PORT = 7717;

/** A fleet, as the options name it. */
export interface FleetSetting {
  /** Addresses of the broker, separated by commas. */
  readonly url: string;
  readonly credentialsFile: string;
}

/** Options of the relay, the same for the app and for `patchbay serve`. */
export interface Options extends ListenAddresses {
  readonly data: string;
  /** The data folder was named on the command line. */
  readonly ownData: boolean;
  /** Which addresses were given on the command line, and so override those saved by the app. */
  readonly said: { readonly port: boolean; readonly listen: boolean };
  /** "" or a path such as `/x`. */
  readonly basePath: string;
  /** Run a client in the headless relay. */
  readonly client: boolean;
  /** Print an invite link when the headless relay is up. */
  readonly invite?: boolean;
  /** Start the app without its window. */
  readonly hidden: boolean;
  /** Leave the shells running when the headless relay stops. */
  readonly keepShells: boolean;
  readonly commandTimeoutMs: number;
  /** Chat messages that the store keeps of each session; default: 10,000. */
  readonly keepChat?: number;
  /** The fleet to join; its file is read before anything is started. */
  readonly fleet?: FleetSetting;
  /** The lowest level that is logged. */
  readonly logLevel: LogLevel;
  /** Address of the OpenTelemetry collector that traces and metrics are sent to. */
  readonly otlp?: string;
}

/** The listen addresses saved by the app's user, overridden by the command line. */
interface SavedAddresses {
  /** Null: the default port. */
  readonly port: number | null;
  readonly outside: boolean;
}

interface Reading {
  /** False: ignore unknown arguments. */
  readonly strict?: boolean;
  /** The settings saved in a data folder. */
  readonly kept?: (data: string) => SavedAddresses;
}

/** All addresses of this machine. */
const EVERYWHERE = "0.0.0.0";

/** Reads the options of the app or of `serve`. Throws a UsageError. */
export function parseOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { strict = true, kept }: Reading = {},
): Options {
  const values = parsed(args, strict);
  const data = dataFolder(values.data, env);
  const { port, outside } = kept?.(data) ?? { port: null, outside: false };
  const listen = values.listen ?? (outside ? EVERYWHERE : undefined);
  const places = parseListenOptions(
    { listen, cert: values.tlsCert, key: values.tlsKey, port: portOf(values.port) },
    port ?? DEFAULT_PORT,
  );
  // A loopback address sets the port of this machine's own listener too.
  const saysPort = values.port !== undefined || (values.listen !== undefined && places.outside === undefined);
  return {
    ...places,
    data,
    ownData: values.data !== undefined,
    said: { port: saysPort, listen: values.listen !== undefined },
    basePath: basePathOf(values.basePath),
    client: values.client === true,
    ...(values.invite === true ? { invite: true } : {}),
    hidden: values.hidden === true,
    keepShells: values.keepShells === true,
    commandTimeoutMs: timeoutOf(env.SERVICE_COMMAND_TIMEOUT_MS),
    ...(values.keepChat === undefined ? {} : { keepChat: keepChatOf(values.keepChat) }),
    ...fleetOf(values),
    logLevel: logLevelOf(values.logLevel, strict),
    ...(values.otlp === undefined ? {} : { otlp: otlpOf(values.otlp) }),
  };
}

/** `strict: false` ignores unknown arguments: a packaged app gets Chromium's own among them. */
function parsed(args: readonly string[], strict: boolean): RelayWords {
  const command = relayParser("patchbay");
  if (!strict) command.allowUnknownOption().allowExcessArguments();
  try {
    parseWith(command, args);
    return command.opts<RelayWords>();
  } catch (error) {
    throw new UsageError(String((error as Error).message));
  }
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port: expected a number from 0 to 65535, got ${JSON.stringify(text)}.`);
}

function otlpOf(text: string): string {
  const { protocol, username, password, search, hash, href } = new URL(URL.canParse(text) ? text : "invalid:");
  const isBare = username === "" && password === "" && search === "" && hash === "";
  if (isBare && (protocol === "http:" || protocol === "https:")) return href;
  const given = username === "" && password === "" ? JSON.stringify(text) : "one with credentials";
  throw new UsageError(
    `--otlp: expected an address such as http://127.0.0.1:4318, got ${given}. Headers for it stand in OTEL_EXPORTER_OTLP_HEADERS.`,
  );
}

function basePathOf(text: string | undefined): string {
  if (text === undefined || text === "" || text === "/") return "";
  // `.` and `..` never arrive: clients resolve them.
  if (/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+\/?$/.test(text)) return text.replace(/\/$/, "");
  throw new UsageError(`--base-path: expected a path such as /x, got ${JSON.stringify(text)}.`);
}

function fleetOf({ fleet: url, fleetCreds: credentialsFile }: RelayWords): Pick<Options, "fleet"> {
  if (url === undefined && credentialsFile === undefined) return {};
  if (url !== undefined && credentialsFile !== undefined) return { fleet: { url, credentialsFile } };
  throw new UsageError("--fleet and --fleet-creds: give both; `service fleet init` makes the credentials.");
}

/** Chromium has a switch of the same name with a numeric value. */
function logLevelOf(text: string | undefined, strict: boolean): LogLevel {
  const foreign = text === undefined || (!strict && /^-?\d+$/.test(text));
  const level = foreign ? "info" : logLevels.find((name) => name === text);
  if (level !== undefined) return level;
  throw new UsageError(`--log-level: expected one of ${logLevels.join(", ")}, got ${JSON.stringify(text)}.`);
}

function keepChatOf(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  // The session itself shows that many.
  if (count >= limits.chatMessages) return count;
  throw new UsageError(`--keep-chat: expected a number from ${limits.chatMessages}, got ${JSON.stringify(text)}.`);
}

/** A timer of a longer time ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function timeoutOf(text: string | undefined): number {
  if (text === undefined || text === "") return COMMAND_TIMEOUT_MS;
  const ms = Number(text);
  if (ms > 0 && ms <= LONGEST_TIMER_MS) return ms;
  throw new UsageError(
    `SERVICE_COMMAND_TIMEOUT_MS: expected milliseconds above 0 and up to ${LONGEST_TIMER_MS}, got ${JSON.stringify(text)}.`,
  );
}
