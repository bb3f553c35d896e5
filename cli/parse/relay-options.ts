import { type Command, Option } from "commander";
import { usageError } from "./exit-codes.ts";
import { wordParser } from "./word-parser.ts";

/** The options of `patchbay serve` and of the app, as they were written. */
export interface RelayWords {
  readonly port?: string;
  readonly listen?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly data?: string;
  readonly basePath?: string;
  readonly client?: true;
  readonly invite?: true;
  readonly hidden?: true;
  readonly keepShells?: true;
  readonly logLevel?: string;
  readonly keepChat?: string;
  readonly fleet?: string;
  readonly fleetCreds?: string;
  readonly otlp?: string;
}

/** Returns the parser of the relay's options. Their values are checked where the relay reads them. */
export function relayParser(program: string): Command {
  return wordParser(program, "serve", {
    description: "Runs the relay without the desktop app, until Ctrl-C.",
    examples: ["serve --client", "serve --port 0 --data ./data", "serve --client --listen 0.0.0.0 --invite"],
  })
    .option("--port <number>", "port on 127.0.0.1; 0 picks a free one; default: 7717")
    .option(
      "--listen <address[:port]>",
      "let other machines in too, over TLS: 0.0.0.0 is every address of this one; default port: the one after --port",
    )
    .addOption(fileOption("--tls-cert <file>", "PEM file of your own certificate for that, with its chain"))
    .addOption(
      fileOption(
        "--tls-key <file>",
        "PEM file of its private key; default for both: Patchbay makes a certificate and prints its fingerprint",
      ),
    )
    .addOption(fileOption("--data <folder>", "data folder; default: PATCHBAY_DATA, else the platform's default"))
    .option("--client", "run a client in the relay too, so that commands are executed")
    .option("--invite", "print an invite link, with a QR code for phones; on a terminal without asking")
    .option("--keep-shells", "leave the shells running when the relay stops, for the next start")
    .option("--keep-chat <number>", "chat messages kept of each session, from 1000 up; default: 10000")
    .option("--base-path <path>", "serve everything under this path as well, for example /x")
    .option("--fleet <url>", "join the fleet of this NATS server, such as nats://192.0.2.7:4222; several with commas")
    .addOption(fileOption("--fleet-creds <file>", "credentials of this relay there, from `fleet init` or `fleet add`"))
    .option("--otlp <url>", "send traces and metrics to this OpenTelemetry collector, such as http://127.0.0.1:4318")
    .option("--log-level <level>", "the least that is logged: debug, info, warn or error; default: info")
    .addOption(new Option("--hidden", "start the app without its window").hideHelp());
}

function fileOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser((text: string) => {
    if (text !== "") return text;
    throw usageError(`${option.long}: expected a path, got an empty text.`);
  });
}
