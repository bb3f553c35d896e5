/// <reference path="./pino-roll.d.ts" />
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import roll from "pino-roll";
import type { Log } from "../../system/log.ts";
import { maskSecrets } from "../../system/mask-secrets.ts";
import type { LogLevel } from "./log-levels.ts";

/** A log file is closed at this size; this many are kept, the open one among them. */
const FILE_SIZE = "5m";
const FILES = 5;

interface LogOptions {
  readonly level?: LogLevel | undefined;
  /** In the notation of pino-roll: `5m`, `10k`. */
  readonly fileSize?: string;
}

/**
 * Opens the log of a data folder: one JSON object per line, in `logs/patchbay.<number>.log`; `logs/current.log` is the
 * newest. Warnings also go to the terminal. A file that cannot be
 * written does not stop the relay: the terminal still gets the warnings.
 */
export async function openLog(data: string, { level = "info", fileSize = FILE_SIZE }: LogOptions = {}): Promise<Log> {
  const folder = join(data, "logs");
  const file = await openFile(folder, fileSize).catch((error: unknown) => error as Error);
  const isOpen = !(file instanceof Error);
  if (isOpen) file.on("error", () => undefined);
  const logger = pino(
    {
      base: null,
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Libraries attach the data they worked on to their errors, such as the body of a request.
      serializers: { err: (error: unknown) => onlyWhatFailed(error) },
      redact: ["token", "secret", "key", "*.token", "*.secret", "*.key"],
      hooks: { streamWrite: maskSecrets },
    },
    pino.multistream([...(isOpen ? [{ level, stream: file }] : []), { level: "warn", stream: process.stderr }]),
  );
  const write =
    (name: LogLevel) =>
    (message: string, { error, ...fields }: Record<string, unknown> = {}) =>
      logger[name](error === undefined ? fields : { ...fields, err: error }, message);
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  if (!isOpen)
    log.error(`No log can be written in ${folder}, so warnings go to the error output only.`, { reason: file.message });
  return log;
}

async function openFile(folder: string, size: string): ReturnType<typeof roll> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return roll({
    file: join(folder, "patchbay"),
    extension: ".log",
    size,
    limit: { count: FILES, removeOtherLogFiles: true },
    symlink: true,
    sync: true,
    mode: 0o600,
  });
}

function onlyWhatFailed(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = "code" in error ? { code: String(error.code) } : {};
  return { type: name, message, stack, ...code, ...(cause === undefined ? {} : { cause: onlyWhatFailed(cause) }) };
}
