import { setMaxListeners } from "node:events";
import { type KeyState, LOCAL_MACHINE, type MachineReport } from "../core/protocol/machines.ts";
import { dataFolder } from "../main/system/folders.ts";
import { withDeadline } from "../main/system/with-deadline.ts";
import { ClientError, InvalidAnswer, isExplained, isKeyProblem, RelayUnreachable } from "./errors.ts";
import { findKey } from "./find-key.ts";
import { findRelay, type RelayLocation } from "./find-relay.ts";
import { CertificateMismatch, type RemotePeer } from "./http.ts";
import { RemoteClient, type RemoteClientOptions } from "./remote-client.ts";
import { AWAY_AFTER_MS, findRemoteKey, peerOf, readHealth } from "./remote-machine.ts";
import { type DamagedRemote, type Remote, Remotes } from "./remotes.ts";

/** This machine, or a remote, and how to call its relay. */
export interface Machine {
  readonly name: string;
  readonly url: string;
  /** When it last answered (ISO 8601); null where that is not known. */
  readonly lastSeen: string | null;
  readonly peer: RemotePeer;
  /** Where the relay at the address passes requests on: the name of the one of its fleet that has to answer them. */
  readonly servedBy?: string;
  /** @throws ClientError `no_key`; or why the key may not be used here */
  key(): Promise<string>;
  noteSeen(): void;
}

/** What a machine answered; `value` is absent where it gave no answer to the question. */
export interface MachineAnswer<T> extends MachineReport {
  readonly value?: T;
}

/** Puts a question to one machine. */
export type Question<T> = (client: RemoteClient, machine: Machine) => Promise<T>;

type Env = Readonly<Record<string, string | undefined>>;

interface MachineLookup {
  readonly env: Env;
  /** `--data`. */
  readonly data?: string | undefined;
  /** false: only the remotes. */
  readonly local?: boolean;
}

/** Returns this machine, if a relay runs on it, and every remote by name. Damaged records are apart. */
export function findMachines({ env, data, local = true }: MachineLookup): {
  readonly machines: readonly Machine[];
  readonly damaged: readonly DamagedRemote[];
} {
  const remotes = new Remotes(dataFolder(data, env));
  const kept = remotes.list();
  const here = local ? localMachine({ env, data }) : undefined;
  return {
    machines: [
      ...(here === undefined ? [] : [here]),
      ...kept.flatMap((remote) => ("damaged" in remote ? [] : [remoteMachine(remote, { env, remotes })])),
    ],
    damaged: kept.filter((remote) => "damaged" in remote),
  };
}

/** Returns a remote as a machine that can be asked. */
export function remoteMachine(
  remote: Remote,
  { env, remotes }: { readonly env: Env; readonly remotes: Remotes },
): Machine {
  return {
    name: remote.name,
    url: remote.url,
    lastSeen: remote.lastSeen,
    peer: peerOf(remote),
    key: async () => (await findRemoteKey(remote, { env })).token,
    noteSeen: () => remotes.noteSeen(remote.name),
  };
}

/** Returns a client of a machine's relay. @throws as `Machine.key` does */
export async function clientOf(
  machine: Machine,
  options: Pick<RemoteClientOptions, "session" | "signal" | "timeout">,
): Promise<RemoteClient> {
  const { url, peer: remote, servedBy } = machine;
  const token = await machine.key();
  return new RemoteClient({ url, token, remote, ...(servedBy === undefined ? {} : { servedBy }), ...options });
}

/** Asks every machine at the same time. A machine that does not answer in time delays no other. */
export function askMachines<T>(machines: readonly Machine[], question: Question<T>): Promise<MachineAnswer<T>[]> {
  return Promise.all(machines.map((machine) => askMachine(machine, question)));
}

/**
 * Asks one machine whether it is there, then the question, within the time after which it counts as away. Rejects for
 * defects of this program only.
 */
export async function askMachine<T>(machine: Machine, question: Question<T>): Promise<MachineAnswer<T>> {
  const abort = new AbortController();
  // Each request under way listens to it.
  setMaxListeners(0, abort.signal);
  let known: Pick<MachineReport, "key" | "version"> = { key: "unknown", version: null };
  const ask = async (): Promise<T> => {
    const { version } = await readHealth(machine.url, machine.peer);
    known = { ...known, version };
    machine.noteSeen();
    known = { ...known, key: "missing" };
    const client = await clientOf(machine, { signal: abort.signal });
    known = { ...known, key: "unknown" };
    const value = await question(client, machine);
    known = { ...known, key: "valid" };
    return value;
  };
  const late = () => new RelayUnreachable(`${machine.name} does not answer: nothing for ${AWAY_AFTER_MS / 1000} s.`);
  try {
    const value = await withDeadline(ask(), AWAY_AFTER_MS, late);
    return { ...reportOf(machine, "reachable"), ...known, value };
  } catch (error) {
    return describeFailure(machine, known, error);
  } finally {
    abort.abort();
  }
}

/** @throws the error itself, for a defect of the program */
function describeFailure(
  machine: Machine,
  { key, version }: Pick<MachineReport, "key" | "version">,
  error: unknown,
): MachineReport {
  if (!isExplained(error)) throw error;
  const problem = error.message;
  if (error instanceof CertificateMismatch)
    return { ...reportOf(machine, "untrusted"), key: "unknown", version, problem };
  if (error instanceof RelayUnreachable) return { ...reportOf(machine, "away"), key: "unknown", version, problem };
  if (error instanceof InvalidAnswer) return { ...reportOf(machine, "invalid"), key: "unknown", version, problem };
  return { ...reportOf(machine, "reachable"), key: keyAfter(error, key), version, problem };
}

/** What is known of the key after a failure; `missing` before means that no key was found to send. */
function keyAfter(error: Error, before: KeyState): KeyState {
  const isRefusal = isKeyProblem(error);
  // Where the relay of this machine decides whether the keychain may be used, its refusal is none of the remote.
  if (before === "missing") return isRefusal && error instanceof ClientError ? "missing" : "unknown";
  return isRefusal ? "rejected" : "valid";
}

function reportOf({ name, url, lastSeen }: Machine, state: MachineReport["state"]) {
  return { machine: name, url, state, awaySince: state === "reachable" ? null : lastSeen };
}

/** Undefined where no relay runs on this machine. */
function localMachine({ env, data }: Pick<MachineLookup, "env" | "data">): Machine | undefined {
  const found = findLocal({ env: { ...env, SERVICE_ON: undefined }, data });
  if (found === undefined) return undefined;
  const { url, file } = found;
  return {
    name: LOCAL_MACHINE,
    url,
    lastSeen: null,
    peer: { name: LOCAL_MACHINE },
    key: async () => (await findKey({ token: undefined, env, account: file?.keyAccount })).token,
    noteSeen: () => undefined,
  };
}

function findLocal(lookup: { readonly env: Env; readonly data: string | undefined }): RelayLocation | undefined {
  try {
    return findRelay(lookup);
  } catch (error) {
    if (error instanceof ClientError && error.reason === "unreachable") return undefined;
    throw error;
  }
}
