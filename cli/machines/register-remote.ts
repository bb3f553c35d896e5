import { isFingerprint, readPresentedCertificate, sameFingerprint } from "../../client/certificate.ts";
import { checkKey } from "../../client/find-key.ts";
import { CertificateMismatch, unreachableError } from "../../client/http.ts";
import { RemoteClient } from "../../client/remote-client.ts";
import { readHealth, userOf } from "../../client/remote-machine.ts";
import { remoteKeyAccount } from "../../client/remotes.ts";
import { type RemoteRecord, remoteTokenVariable } from "../../core/protocol/machines.ts";
import { withoutTrailing } from "../../core/protocol/without-trailing.ts";
import { isLoopbackHost } from "../../main/system/listeners/loopback-addresses.ts";
import { type KeyEntry, openKeyEntry } from "../connect/keychain.ts";
import { requestKey, revoke } from "../connect/request-key.ts";
import { readKey } from "../connect/token-option.ts";
import { CliError, exitCodes, usageError } from "../parse/exit-codes.ts";
import type { Io } from "../render/io.ts";

/**
 * Returns the address of a remote as it is kept. Plain HTTP is for loopback addresses only, such as the end of an SSH
 * tunnel: anywhere else the key would be readable on the way.
 *
 * @throws CliError with the exit code for usage
 */
export function parseRemoteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw usageError(`--url: expected an address such as https://192.0.2.7:7718, got ${JSON.stringify(text)}.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw usageError("--url: expected an address without a user, a query and a fragment.");
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    throw usageError(
      "--url: over http: the key would be readable on the way: use https: (docs/reference/other-machines.md), or an SSH tunnel to 127.0.0.1.",
    );
  }
  return `${url.origin}${withoutTrailing(url.pathname, "/")}`;
}

interface TrustRequest {
  readonly name: string;
  readonly url: string;
  /** SHA-256 of the certificate, as the relay printed it. */
  readonly fingerprint: string | undefined;
}

/**
 * Decides which certificate the remote has to present from now on: the one with the given fingerprint; else one of a
 * known authority; else the presented one, if the user confirms it. Returns its PEM, or undefined for a known authority.
 * No key is sent before.
 *
 * @throws RelayUnreachable; CliError for another certificate, and where the user is not there to compare it
 */
export async function chooseCertificate(io: Io, { name, url, fingerprint }: TrustRequest): Promise<string | undefined> {
  if (!url.startsWith("https:")) {
    if (fingerprint !== undefined) throw usageError("--fingerprint is for addresses with https:.");
    return undefined;
  }
  if (fingerprint !== undefined) return expectFingerprint({ name, url, fingerprint });
  try {
    await readHealth(url, { name });
    return undefined;
  } catch (error) {
    if (!(error instanceof CertificateMismatch)) throw error;
    return confirmCertificate(io, { name, url });
  }
}

async function expectFingerprint({ name, url, fingerprint }: TrustRequest & { fingerprint: string }): Promise<string> {
  if (!isFingerprint(fingerprint)) {
    throw usageError("--fingerprint: expected a SHA-256 fingerprint of 64 hexadecimal digits, as the relay prints it.");
  }
  const presented = await presentedAt(name, url);
  if (sameFingerprint(presented.fingerprint, fingerprint)) return presented.pem;
  throw new CliError(
    exitCodes.refused,
    `${url} presents another certificate: its fingerprint is ${presented.fingerprint}. Nothing was sent there, and nothing was written.`,
  );
}

async function confirmCertificate(io: Io, { name, url }: Pick<TrustRequest, "name" | "url">): Promise<string> {
  const { pem, fingerprint } = await presentedAt(name, url);
  if (io.ask === undefined) {
    throw new CliError(
      exitCodes.refused,
      `The certificate at ${url} is of no known authority, so the user has to confirm it. Compare its SHA-256 fingerprint, ${fingerprint}, with the one that the relay printed at its start, and give that with --fingerprint. Nothing was written.`,
    );
  }
  io.stderr.write(
    `The certificate at ${url} is of no known authority. Its SHA-256 fingerprint:\n  ${fingerprint}\nThe relay printed its own at its start.\n`,
  );
  const answer = await io.ask("Are they the same? (yes/no) ", { secret: false });
  if (/^y(es)?$/i.test(answer.trim())) return pem;
  throw new CliError(exitCodes.refused, "Not confirmed: nothing was written.");
}

async function presentedAt(name: string, url: string): ReturnType<typeof readPresentedCertificate> {
  try {
    return await readPresentedCertificate(new URL(url));
  } catch (error) {
    throw unreachableError(new URL(url), error, { name });
  }
}

/** A key that a remote takes. */
interface NewKey {
  readonly key: string;
  /** Where it will be kept; undefined where the environment keeps it. */
  readonly entry: KeyEntry | undefined;
  /** Whose key it is there. */
  readonly user: string;
}

/**
 * Returns a key for a remote, which the remote has accepted: that of its variable, which stays there; else one of a
 * login, or typed at the terminal without echo, or from the standard input. The keychain is opened first: a key that
 * cannot be kept is not asked for. A key of a login that cannot be used is revoked again.
 *
 * @throws CliError; RelayUnreachable; RemoteError with the refusal
 */
export async function getKey(
  io: Io,
  name: string,
  record: RemoteRecord,
  { login }: { readonly login: boolean },
): Promise<NewKey> {
  const { url, certificate } = record;
  const remote = { name, certificate };
  const variable = remoteTokenVariable(name);
  const given = io.env[variable] ?? "";
  const isGiven = given !== "" && !login;
  const entry = isGiven ? undefined : await openEntry(remoteKeyAccount(record), variable);
  const key = isGiven ? given : login ? (await requestKey(io, url, remote)).access_token : await typedKey(io, name);
  try {
    const token = checkKey(key, isGiven ? variable : `the key for ${name}`);
    return { key: token, entry, user: await userOf(new RemoteClient({ url, token, remote })) };
  } catch (error) {
    if (login) await revoke(url, key, remote).catch(() => undefined);
    throw error;
  }
}

async function typedKey(io: Io, name: string): Promise<string> {
  const typed = io.ask === undefined ? await readStdin(io) : await io.ask(`API key for ${name}: `, { secret: true });
  return typed.trim();
}

async function openEntry(account: string, variable: string): Promise<KeyEntry> {
  try {
    return await openKeyEntry(account);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(
      exitCodes.refused,
      `${error.message} So the key could not be kept, and nothing was written. Instead set ${variable} to it, here and where the remote is used, and run this again.`,
      { cause: error },
    );
  }
}

async function readStdin(io: Io): Promise<string> {
  const key = await readKey(io.stdin?.() ?? [], "The standard input");
  if (key !== "") return key;
  throw usageError("expected the API key on the standard input, or a terminal to ask at; `--login` gets one.");
}
