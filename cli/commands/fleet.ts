import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { checkLocalAccess } from "../../client/check-local-access.ts";
import type { FleetStatus } from "../../core/protocol/fleet.ts";
import { didYouMean } from "../../core/protocol/nearest.ts";
import { dataFolder } from "../../main/system/folders.ts";
import { connect } from "../connect/connect.ts";
import { type FleetChange, type FleetOutcome, isLocalModule } from "../connect/key-operations.ts";
import { loadMainModule } from "../connect/main-module.ts";
import { describeFleet } from "../doctor/check-fleet.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, withUsage, wordParser } from "../parse/word-parser.ts";
import { escapeControls } from "../render/cell.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

interface FleetOptions extends Omit<Globals, "session"> {
  readonly folder?: string;
  readonly owner?: string;
  readonly host?: string;
  readonly listen?: string;
  readonly creds?: string;
}

export const fleetActions = ["status", "join", "leave", "init", "add", "remove"] as const;
type FleetAction = (typeof fleetActions)[number];

/** `service fleet [status|join|leave|init|add|remove]`. Returns the exit code: 1 where the relay is not in its fleet. */
export async function fleetCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = fleetParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const options = command.opts<FleetOptions>();
  const [action, names] = withUsage(command, () => chooseAction(command));
  switch (action) {
    case "status":
    case "join":
    case "leave":
      return callRelay(io, action, names, options);
    default:
      return change(io, action, names, options);
  }
}

export function fleetParser(program: string): Command {
  const of = (names: string, flags: string, description: string) =>
    new Option(flags, description).helpGroup(`Options of ${names}:`);
  const command = wordParser(program, "fleet", {
    description: "Join the relays of several machines: any of them answers for the sessions of the others.",
    usage: "[action] [options]",
    actions: [
      ["status", "show this relay's membership and the other relays (default)"],
      ["join <url>", "make the running relay join, now and at later starts; `--creds` names its credentials"],
      ["leave", "make the running relay leave its fleet"],
      ["init <name...>", "write a configuration of nats-server, and credentials for relays of these names"],
      ["add <name...>", "write credentials for more relays, and the configuration with them"],
      ["remove <name>", "remove a relay from the configuration"],
    ],
    examples: [
      "fleet",
      "fleet init laptop box --host broker.example.org",
      "fleet join nats://broker.example.org:4222 --creds ~/laptop.creds",
      "fleet add desk",
    ],
  })
    .addOption(of("join", "--creds <file>", "credentials of this relay, which `fleet init` wrote"))
    .addOption(
      of("init, add and remove", "--folder <folder>", "folder of the fleet's files; default: fleet in the data folder"),
    )
    .addOption(of("init", "--owner <name>", "whose fleet it is; default: the user"))
    .addOption(
      of("init", "--host <names>", "names and addresses of the broker's machine, with commas; default: this machine's"),
    )
    .addOption(of("init", "--listen <address[:port]>", "address of the broker; default: 0.0.0.0:4222"));
  return addGlobals(command, { except: ["session", "client"] });
}

function chooseAction({ args }: Command): readonly [FleetAction, readonly string[]] {
  const [name = "status", ...names] = args;
  const action = fleetActions.find((candidate) => candidate === name);
  if (action === undefined) {
    throw usageError(`fleet: no action ${JSON.stringify(name)}.${didYouMean(name, fleetActions)}`);
  }
  if (action === "status" || action === "leave") {
    if (names.length > 0) throw usageError(`fleet ${action}: unexpected argument.`);
    return [action, names];
  }
  if (action === "join" && names.length !== 1) throw usageError("fleet join: expected the address of the broker.");
  if (names.length === 0) throw usageError(`fleet ${action}: expected the name of a relay.`);
  if (action === "remove" && names.length > 1) throw usageError("fleet remove: expected one name.");
  return [action, names];
}

/** Calls the running relay, and shows its membership. */
async function callRelay(
  io: Io,
  action: "status" | "join" | "leave",
  [broker = ""]: readonly string[],
  options: FleetOptions,
): Promise<number> {
  const { folder: _, owner: __, host: ___, listen: ____, creds, ...globals } = options;
  if (action === "join" && creds === undefined) {
    throw usageError("fleet join: give this relay's credentials with --creds; `service fleet init` writes them.");
  }
  const client = await connect(io, globals);
  const credentials = resolve(io.cwd ?? process.cwd(), creds ?? "");
  const status =
    action === "join"
      ? await client.operation("joinFleet", { broker, credentials })
      : await client.operation(action === "leave" ? "leaveFleet" : "getFleet", {});
  const style = styleOf(io, globals.json === true);
  if (io.stdout.isTTY && !style.json) {
    io.stdout.write(`${escapeControls(describeFleet(status))}\n`);
    if (status.members.length > 0) io.stdout.write(await formatResult({}, status.members.map(rowOf), style));
  } else io.stdout.write(await formatResult({}, status, style));
  const isAsWanted = status.state === "joined" || (status.state === "off" && status.problem === null);
  return isAsWanted ? exitCodes.ok : exitCodes.refused;
}

function rowOf({ name, state, awaySince, version, sessions, isSelf }: FleetStatus["members"][number]) {
  return { name: isSelf ? `${name} (this one)` : name, state, awaySince: awaySince ?? "", version, sessions };
}

async function change(
  io: Io,
  action: FleetChange["action"],
  members: readonly string[],
  { data, folder, owner, host, listen }: FleetOptions,
): Promise<number> {
  await checkLocalAccess(io.env, { data });
  const { changeFleet } = await loadMainModule(io, "local", isLocalModule);
  const [address, port] = listen === undefined ? [] : addressOf(listen);
  const at = resolve(folder ?? `${dataFolder(data, io.env)}/fleet`);
  const hosts = host?.split(",").map((name) => name.trim());
  const outcome = await changeFleet({ action, folder: at, members, owner, hosts, listen: address, port });
  if (!outcome.ok) throw new CliError(exitCodes.refused, outcome.message);
  io.stdout.write(describeFiles(action, outcome.result));
  return exitCodes.ok;
}

function addressOf(listen: string): [address: string, port: number | undefined] {
  const [, address, port] = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(listen) ?? [];
  if (address === undefined) throw usageError(`--listen: expected address:port, got ${JSON.stringify(listen)}.`);
  return [address, port === undefined ? undefined : Number(port)];
}

function describeFiles(action: FleetChange["action"], { config, credentials, url }: FleetOutcome): string {
  const broker =
    action === "init"
      ? ["Start the broker on this machine (Debian: apt-get install nats-server):", `  nats-server -c ${config}`]
      : ["Have the broker read its configuration again:", "  nats-server --signal reload"];
  const address = url ?? "nats://BROKER:4222";
  const relays = credentials.map((file) => `  patchbay serve --client --fleet ${address} --fleet-creds ${file}`);
  const copies = [
    "Copy its credentials to each relay's machine, keep them readable by its user only, and start the relay there:",
    ...relays,
  ];
  return `${[...broker, ...(relays.length === 0 ? [] : copies)].join("\n")}\n`;
}
