import { lookup as resolveName } from "node:dns";
import { request as plainRequest } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { listenerOwners } from "../main/system/listeners/linux-listeners.ts";
import { loopbackBehind } from "../main/system/listeners/loopback-addresses.ts";
import { InvalidAnswer, RelayUnreachable } from "./errors.ts";

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>;
  /** Milliseconds without any data after which the request fails; 0 for no limit. */
  readonly silenceMs: number;
  readonly signal?: AbortSignal;
  /** The remote that is called; absent for the relay of this machine and for one that `--url` names. */
  readonly remote?: RemotePeer;
}

/** The answer of a relay, whose pieces are its body: of node:http here, of `fetch` in the published package. */
export interface HttpAnswer extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Why the connection broke in the middle of the body. */
  readonly errored: Error | null;
  /** Ends the connection. */
  destroy(): unknown;
}

/** What a request to a remote needs to know of it. */
export interface RemotePeer {
  readonly name: string;
  /** PEM of the only certificate to accept; absent: one of a known authority. */
  readonly certificate?: string | undefined;
  /** Bounds what its answers may have together, for who reads them where others wait. */
  readonly allowance?: Allowance | undefined;
}

export interface Allowance {
  /** Bytes that may still be read. */
  left: number;
}

/** A remote is not believed: an answer of it that is larger is refused. A relay's own are far smaller. */
const MAX_REMOTE_ANSWER_BYTES = 64 * 1024 * 1024;
/** A remote's answer is given up so long after its head: it may come a byte at a time. */
const MAX_REMOTE_ANSWER_MS = 120_000;

/** The relay that answers has another certificate than the expected one; nothing was sent to it. */
export class CertificateMismatch extends RelayUnreachable {}

/** Another user of this machine listens at the relay's address; nothing was sent. */
export class ForeignListener extends RelayUnreachable {}

/**
 * Sends one request over node:http, which starts sooner than `fetch`. A request to a loopback address is sent only where
 * no other user listens: after a relay has ended, any user may take its port, and would get the key.
 *
 * @throws RelayUnreachable
 */
export async function send(url: URL, ask: HttpRequest): Promise<HttpAnswer> {
  const { remote } = ask;
  const body = bodyOf(ask);
  const lookup = checkListener(url);
  const request = url.protocol === "https:" ? (await import("node:https")).request : plainRequest;
  const headers: Record<string, string | number> = { ...ask.headers };
  if (body !== undefined) Object.assign(headers, { "Content-Type": body.type, "Content-Length": body.bytes.length });
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: ask.method ?? "GET",
      headers,
      lookup,
      ...(ask.signal === undefined ? {} : { signal: ask.signal }),
      ...(remote === undefined ? {} : trustOf(remote)),
    });
    outgoing.on("error", (error) => reject(unreachableError(url, error, remote)));
    outgoing.on("response", resolve);
    // As an answer to a plain request it would never be heard of.
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(unreachableError(url, new Error("it changes the protocol without being asked"), remote));
    });
    if (ask.silenceMs > 0) {
      outgoing.setTimeout(ask.silenceMs, () =>
        outgoing.destroy(new Error(`no data for ${Math.round(ask.silenceMs / 1000)} s`)),
      );
    }
    outgoing.end(body?.bytes);
  });
}

/**
 * Checks that no other user listens at a loopback address. The address itself is judged, so a name is checked when it is
 * resolved: by the returned function, which the connection has to use. Where the kernel's table cannot be read (other
 * systems, some containers), or the relay is not in this network namespace, the owner is unknown and the request is sent.
 *
 * @throws ForeignListener
 */
export function checkListener(url: URL): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // By its name in either family, of which the system may know only one.
  const known = host === "localhost" ? ["127.0.0.1", "::1"] : isIP(host) === 0 ? [] : [host];
  for (const address of known) checkAddressOwner(address, url);
  return (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      try {
        for (const { address } of addresses) checkAddressOwner(address, url);
      } catch (foreign) {
        return done(foreign as ForeignListener, []);
      }
      if (options.all === true) return done(null, addresses);
      const [first] = addresses;
      done(null, first?.address ?? "", first?.family);
    });
  };
}

/** @throws ForeignListener */
function checkAddressOwner(address: string, { port, protocol, origin }: URL): void {
  const own = process.getuid?.();
  const loopback = loopbackBehind(address);
  if (process.platform !== "linux" || own === undefined || loopback === undefined) return;
  const owners = listenerOwners(loopback, Number(port) || (/^(?:https|wss):$/.test(protocol) ? 443 : 80));
  // Root may listen for others, as port forwarding does, and can read the key anyway.
  const trusted = [0, own, ...(own === 0 && process.env.SUDO_UID !== undefined ? [Number(process.env.SUDO_UID)] : [])];
  const foreign = owners.find((uid) => !trusted.includes(uid));
  if (foreign === undefined) return;
  throw new ForeignListener(
    `Another user of this machine (uid ${foreign}) listens at ${origin}, not your relay, so nothing was sent: start the Patchbay app, or run \`patchbay serve\`.`,
  );
}

interface RequestBody {
  readonly type: string;
  readonly bytes: Buffer;
}

function bodyOf({ body, form }: HttpRequest): RequestBody | undefined {
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded", bytes: Buffer.from(String(new URLSearchParams(form))) };
  }
  return body === undefined ? undefined : { type: "application/json", bytes: Buffer.from(JSON.stringify(body)) };
}

/** How the certificate of a remote is checked, whatever the environment says (NODE_TLS_REJECT_UNAUTHORIZED). */
export function trustOf({ certificate }: RemotePeer): TlsTrust {
  // A pinned certificate may have been issued by an authority that is not pinned.
  return certificate === undefined
    ? { rejectUnauthorized: true }
    : { rejectUnauthorized: true, ca: certificate, allowPartialTrustChain: true };
}

type TlsTrust = Pick<ConnectionOptions, "rejectUnauthorized" | "ca" | "allowPartialTrustChain">;

/**
 * Returns the whole body as text.
 *
 * @throws RelayUnreachable when the connection breaks in the middle; InvalidAnswer for a remote's answer that is too large or too slow
 */
export async function readText(answer: HttpAnswer, url: URL, remote?: RemotePeer): Promise<string> {
  const pieces: Uint8Array[] = [];
  const began = performance.now();
  let size = 0;
  try {
    for await (const piece of answer) {
      size += piece.length;
      if (remote !== undefined) {
        if (remote.allowance !== undefined) remote.allowance.left -= piece.length;
        checkRemoteAnswer(remote, size, performance.now() - began);
      }
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof InvalidAnswer ? error : unreachableError(url, error, remote);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** @throws InvalidAnswer */
function checkRemoteAnswer({ name, allowance }: RemotePeer, size: number, tookMs: number): void {
  const most = MAX_REMOTE_ANSWER_BYTES / 1024 ** 2;
  if (allowance !== undefined && allowance.left < 0)
    throw new InvalidAnswer(`${name} sent more than is read of a machine at once.`);
  if (size > MAX_REMOTE_ANSWER_BYTES)
    throw new InvalidAnswer(`${name} sent more than ${most} MiB as one answer, which no relay does.`);
  if (tookMs > MAX_REMOTE_ANSWER_MS)
    throw new InvalidAnswer(`${name} did not end its answer within ${MAX_REMOTE_ANSWER_MS / 1000} s.`);
}

/** Describes a connection error for the user; an abort by the caller is returned unchanged. */
export function unreachableError(url: URL, error: unknown, remote?: RemotePeer): Error {
  if (error instanceof ForeignListener || (error instanceof Error && error.name === "AbortError")) return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = reasonOf(error);
  if (remote !== undefined && isCertificateError(code)) {
    return new CertificateMismatch(
      `${remote.name} (${url.origin}) was not called, because its certificate is not the expected one (${reason}). If its relay made a new one, compare the fingerprint that it printed: \`service remotes update ${remote.name} --fingerprint FINGERPRINT\`.`,
      { cause: error },
    );
  }
  return new RelayUnreachable(
    remote === undefined
      ? `No relay answers at ${url.origin} (${reason}): start the Patchbay app, or run \`patchbay serve\`.`
      : `${remote.name} (${url.origin}) does not answer: ${reason}.`,
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  const { code, hostname } = error as NodeJS.ErrnoException & { hostname?: unknown };
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there";
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EHOSTDOWN":
      return "there is no route to it";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the name ${String(hostname)} cannot be found`;
    default:
      return (error instanceof Error && error.message) || String(code);
  }
}

/** The codes of OpenSSL for a certificate that does not verify, and Node's own for one of another name. */
function isCertificateError(code: string | undefined): boolean {
  return /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|PATH_LENGTH_)/.test(code ?? "");
}
