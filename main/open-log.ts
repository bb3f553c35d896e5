import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import type { Log } from "./relay/log.ts";

/** The log of a data folder, one JSON object a line; warnings also go to the terminal. */
export function openLog(data: string): Log {
  mkdirSync(join(data, "logs"), { recursive: true, mode: 0o700 });
  const file = pino.destination({ dest: join(data, "logs", "patchbay.log"), sync: true, mode: 0o600 });
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ["*.token", "*.secret", "*.key"] },
    pino.multistream([{ stream: file }, { level: "warn", stream: process.stderr }]),
  );
  const write =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, { error, ...fields }: Record<string, unknown> = {}) =>
      logger[level](error === undefined ? fields : { ...fields, err: error }, message);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
