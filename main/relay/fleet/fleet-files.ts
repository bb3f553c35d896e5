import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { z } from "zod";
import { writeAtomically } from "../../system/write-atomically.ts";
import { FleetError } from "../net/fleet-peer.ts";
import { makeCertificate } from "../tls/make-certificate.ts";
import { OWNER, RELAY_NAME } from "./credentials.ts";
import { MemberId } from "./wire.ts";

/** The members hold the certificate itself, so it is valid for as long as a machine is likely to be used. */
const CERTIFICATE_DAYS = 3650;
export const BROKER_PORT = 4222;

/** What a fleet's folder keeps, and its configuration is rendered from. It holds no secret. */
const FleetPlan = z.strictObject({
  owner: z.string().regex(OWNER),
  /** Address on which the broker listens. */
  listen: z.string(),
  port: z.int().min(1).max(65_535),
  members: z.array(z.strictObject({ name: z.string().regex(RELAY_NAME), member: MemberId })),
});
type FleetPlan = z.infer<typeof FleetPlan>;

interface NewFleet {
  readonly folder: string;
  readonly owner: string;
  /** Names and addresses of the broker's machine, for its certificate; the first one stands in the printed commands. */
  readonly hosts: readonly string[];
  readonly listen?: string;
  readonly port?: number;
  /** Names of the relays. */
  readonly members: readonly string[];
}

/** Files of a fleet that were written. */
interface FleetFiles {
  readonly config: string;
  readonly credentials: readonly string[];
}

/** Writes a configuration of `nats-server`, its certificate, and credentials for each relay. Throws a FleetError. */
export function createFleet({
  folder,
  owner,
  hosts,
  listen = "0.0.0.0",
  port = BROKER_PORT,
  members,
}: NewFleet): FleetFiles {
  if (!OWNER.test(owner)) {
    throw new FleetError("--owner: expected up to 64 letters, digits, hyphens and underscores.");
  }
  if (existsSync(planFile(folder))) {
    throw new FleetError(`${folder} holds a fleet already: add a relay with \`service fleet add NAME\`.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { cert, key } = makeCertificate([...new Set([...hosts, "localhost", "127.0.0.1"])], new Date(), {
    days: CERTIFICATE_DAYS,
    isAuthority: true,
  });
  write(join(folder, "broker-cert.pem"), cert);
  write(join(folder, "broker-key.pem"), key);
  return addMembers(folder, { owner, listen, port, members: [] }, members);
}

/** Adds relays to a fleet: credentials for each, and the configuration with them. Throws a FleetError. */
export function addToFleet(folder: string, members: readonly string[]): FleetFiles {
  return addMembers(folder, readPlan(folder), members);
}

/** Removes a relay from a fleet's configuration: the broker refuses its credentials when it has read that. */
export function removeFromFleet(folder: string, name: string): FleetFiles {
  const plan = readPlan(folder);
  const members = plan.members.filter((member) => member.name !== name);
  if (members.length === plan.members.length) throw new FleetError(`The fleet in ${folder} has no relay ${name}.`);
  return { config: writePlan(folder, { ...plan, members }), credentials: [] };
}

function addMembers(folder: string, plan: FleetPlan, names: readonly string[]): FleetFiles {
  const certificate = readFileSync(join(folder, "broker-cert.pem"), "utf8");
  const known = new Set(plan.members.map(({ name }) => name));
  for (const name of names) {
    if (!RELAY_NAME.test(name)) {
      throw new FleetError("A relay's name has up to 64 letters, digits, dots, hyphens and underscores.");
    }
    if (known.has(name)) throw new FleetError(`The fleet has a relay ${name} already.`);
    known.add(name);
  }
  const added = names.map((name) => {
    const user = nkeys.createUser();
    const file = join(folder, `${name}.creds`);
    const seed = new TextDecoder().decode(user.getSeed());
    write(file, credentialsText({ owner: plan.owner, name, seed, certificate }));
    return { name, member: user.getPublicKey(), file };
  });
  const members = [...plan.members, ...added.map(({ name, member }) => ({ name, member }))];
  return { config: writePlan(folder, { ...plan, members }), credentials: added.map(({ file }) => file) };
}

function planFile(folder: string): string {
  return join(folder, "fleet.json");
}

function readPlan(folder: string): FleetPlan {
  try {
    return FleetPlan.parse(JSON.parse(readFileSync(planFile(folder), "utf8")));
  } catch {
    throw new FleetError(`${folder} holds no fleet: \`service fleet init\` makes one.`);
  }
}

function writePlan(folder: string, plan: FleetPlan): string {
  const config = join(folder, "nats-server.conf");
  write(config, brokerConfig(folder, plan));
  write(planFile(folder), `${JSON.stringify(plan, null, 2)}\n`);
  return config;
}

function write(file: string, text: string): void {
  writeAtomically(file, text);
}

function credentialsText({
  owner,
  name,
  seed,
  certificate,
}: {
  readonly owner: string;
  readonly name: string;
  readonly seed: string;
  readonly certificate: string;
}): string {
  return `Credentials of a relay in a Patchbay fleet. Keep this file secret, readable by its user only.
owner: ${owner}
member: ${name}

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------

The certificate of the broker:
${certificate}`;
}

/**
 * An account for the owner, and a user for each relay who may use the owner's subjects only, receives only its own answers
 * and writes only its own entries of the directory.
 */
function brokerConfig(folder: string, { owner, listen, port, members }: FleetPlan): string {
  const at = resolve(folder);
  return `# Configuration of nats-server (2.9 or later) for a Patchbay fleet, written by \`service fleet\`. Do not edit the
# users here: \`service fleet add NAME\` and \`service fleet remove NAME\` write the file again.
listen: "${listen}:${port}"
server_name: "patchbay-${owner}"
max_payload: 1MB
write_deadline: "10s"
tls {
  cert_file: "${join(at, "broker-cert.pem")}"
  key_file: "${join(at, "broker-key.pem")}"
}
jetstream {
  store_dir: "${join(at, "jetstream")}"
  max_memory_store: 64MB
  max_file_store: 256MB
}
accounts {
  ${owner} {
    jetstream: enabled
    users: [
${members.map(({ name, member }) => userConfig(owner, name, member)).join("\n")}
    ]
  }
}
`;
}

function userConfig(owner: string, name: string, member: string): string {
  const prefix = `patchbay.v1.${owner}`;
  const bucket = `patchbay_${owner}`;
  const questions = `${bucket}_questions`;
  const api = `$JS.API`;
  const publish = [
    `${prefix}.*.*`,
    `${prefix}.reply.*.*`,
    `$KV.${bucket}.relays.${member}`,
    `$KV.${bucket}.beats.${member}`,
    `$KV.${questions}.${member}`,
    `${api}.STREAM.CREATE.KV_${questions}`,
    `${api}.STREAM.INFO.KV_${questions}`,
    `${api}.DIRECT.GET.KV_${questions}.>`,
    `${api}.INFO`,
    `${api}.STREAM.CREATE.KV_${bucket}`,
    `${api}.STREAM.INFO.KV_${bucket}`,
    `${api}.CONSUMER.CREATE.KV_${bucket}`,
    `${api}.CONSUMER.CREATE.KV_${bucket}.>`,
    `${api}.CONSUMER.INFO.KV_${bucket}.*`,
    `${api}.CONSUMER.DELETE.KV_${bucket}.*`,
    "$JS.FC.>",
  ];
  const subscribe = [`${prefix}.*.*`, `${prefix}.reply.${member}.>`];
  const list = (subjects: readonly string[]) => `[${subjects.map((subject) => `"${subject}"`).join(", ")}]`;
  return `      # ${name}
      { nkey: ${member}, permissions: {
          publish: { allow: ${list(publish)} }
          subscribe: { allow: ${list(subscribe)} } } }`;
}
