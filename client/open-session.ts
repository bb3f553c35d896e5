import { WebSocket } from "ws";
import { z } from "zod";
import { socketLink } from "../core/client/socket-link.ts";
import type { ClientLink } from "../core/protocol/link.ts";
import { TokenBucket } from "../core/protocol/rate-limits.ts";
import { withoutTrailing } from "../core/protocol/without-trailing.ts";
import { pauseReading } from "../main/system/pause-reading.ts";
import { withDeadline } from "../main/system/with-deadline.ts";
import { RelayUnreachable } from "./errors.ts";
import { guardLink } from "./guard-link.ts";
import {
  CertificateMismatch,
  checkListener,
  ForeignListener,
  type RemotePeer,
  readText,
  send,
  trustOf,
  unreachableError,
} from "./http.ts";
import { AWAY_AFTER_MS } from "./remote-machine.ts";
import { serviceError } from "./service-error.ts";

/** A session of another machine, and the key that opens it. */
export interface SessionAddress {
  /** Base address of the relay that is called. */
  readonly url: string;
  readonly session: string;
  readonly key: string;
  /** The machine, and its certificate. */
  readonly peer: RemotePeer;
  /** Where the relay that is called passes the session on: the name of the one that has to serve it. */
  readonly servedBy?: string | undefined;
}

/** The result of connecting to a session: a link, or a refusal that lasts until the user does something about it. */
export type MachineOpening = { readonly link: ClientLink } | { readonly refused: string; readonly needsKey: boolean };

/** Whether the machine admits the key to the session. Rejects with an Error for the user while the machine is away. */
type MachineAdmission = "admitted" | Exclude<MachineOpening, { readonly link: unknown }>;

const Admitted = z.object({ result: z.object({ session: z.string() }) });

/** A relay that passes the request on waits this long for the other one, in seconds. */
const PASS_ON_TIMEOUT_S = 2;
/** A relay sends a sign of life every 20 s. */
const SILENCE_MS = 45_000;
/** The state of a whole session arrives as one message, with a thousand messages of its chat. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Rate at which a machine's texts are read: it cannot keep the app busy by what it sends. Output comes as bytes. */
const TEXT_BYTES = { capacity: MAX_MESSAGE_BYTES, perSecond: 1024 * 1024 } as const;
/** Each text has a price besides its bytes: a session that twenty agents work in has a hundred changes a second. */
const TEXTS = { capacity: 2000, perSecond: 1000 } as const;
/** Pieces of output, which the page acknowledges by their length only. */
const PIECES = { capacity: 4000, perSecond: 20_000 } as const;

/**
 * Connects to a session. The key is sent as a header, to that address only.
 *
 * @throws Error for the user while the machine is away
 */
export async function openSession(address: SessionAddress): Promise<MachineOpening> {
  const admission = await askAdmission(address);
  return admission === "admitted" ? { link: await openSocket(address) } : admission;
}

/**
 * Asks whether the key opens the session. A WebSocket that is refused does not say why in words, and one to a relay of the
 * fleet that is away would wait for the timeout of a command.
 */
export async function askAdmission({ key, peer, servedBy, ...address }: SessionAddress): Promise<MachineAdmission> {
  const url = socketUrl(address);
  // The relay that passes the request on has to say that the other one is away.
  const limitMs = servedBy === undefined ? AWAY_AFTER_MS : 2 * AWAY_AFTER_MS;
  const late = AbortSignal.timeout(limitMs);
  const headers = { "X-Service-Token": key, "X-Service-Timeout": String(PASS_ON_TIMEOUT_S) };
  try {
    const answer = await send(url, { headers, silenceMs: limitMs, remote: peer, signal: late });
    const text = await readText(answer, url, peer);
    checkServedBy(answer.headers["x-service-relay"], servedBy);
    if (answer.statusCode === 200) return admittedBy(text, peer);
    return judge(serviceErrorOf(answer, text), answer.statusCode ?? 0, peer);
  } catch (error) {
    // Nothing was sent there. Trying again would not help.
    if (error instanceof CertificateMismatch || error instanceof ForeignListener)
      return { refused: error.message, needsKey: false };
    if (late.aborted) throw new RelayUnreachable(`${peer.name} does not answer: nothing for ${limitMs / 1000} s.`);
    throw error;
  }
}

/** A session of the fleet is opened at the relay that was chosen, or not at all. */
function checkServedBy(relay: unknown, servedBy: string | undefined): void {
  if (servedBy !== undefined && relay !== servedBy) {
    throw new RelayUnreachable(`${servedBy} does not serve this session in the fleet now.`);
  }
}

function admittedBy(text: string, { name }: RemotePeer): MachineAdmission {
  try {
    Admitted.parse(JSON.parse(text));
    return "admitted";
  } catch {
    throw new RelayUnreachable(`What answers for ${name} is not a Patchbay relay.`);
  }
}

function serviceErrorOf({ statusCode = 0, headers }: Awaited<ReturnType<typeof send>>, text: string) {
  const code = headers["x-service-error"];
  return serviceError(statusCode, typeof code === "string" ? code : undefined, text);
}

function judge(
  { code, message }: ReturnType<typeof serviceError>,
  status: number,
  { name }: RemotePeer,
): MachineAdmission {
  if (code === "relay_away") throw new RelayUnreachable(`${name} is away.`);
  // Too many wrong keys from this address say nothing about this one.
  if (status >= 500 || status === 429) throw new RelayUnreachable(`${name}: ${message}`);
  if (code === "unknown_session") return { refused: `${name} no longer has this session.`, needsKey: false };
  if (status === 401) return { refused: describeRefusal(name), needsKey: true };
  return { refused: `${name} refuses the session: ${message}`, needsKey: status === 403 };
}

/** Says that a machine knows no such key. */
export function describeRefusal(machine: string): string {
  return `${machine} does not accept the key: it was revoked, has expired, or is a key of another relay.`;
}

function openSocket({ key, peer, servedBy, ...address }: SessionAddress): Promise<ClientLink> {
  const url = socketUrl(address);
  const lookup = checkListener(url);
  const socket = new WebSocket(new URL(url.href.replace(/^http/, "ws")), {
    headers: { "X-Service-Token": key },
    lookup,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: AWAY_AFTER_MS,
    ...trustOf(peer),
  });
  socket.binaryType = "arraybuffer";
  const opened = new Promise<ClientLink>((resolve, reject) => {
    socket.on("error", (error) => reject(unreachableError(url, error, peer)));
    socket.once("upgrade", ({ headers }) => {
      try {
        checkServedBy(headers["x-service-relay"], servedBy);
      } catch (error) {
        reject(error);
        socket.terminate();
      }
    });
    socket.once("open", () => {
      endWhenSilent(socket);
      readSlowly(socket);
      resolve(guardLink(socketLink(socket)));
    });
  });
  return withDeadline(opened, AWAY_AFTER_MS * 2, () => new Error(`${peer.name} does not answer.`)).catch((error) => {
    socket.terminate();
    throw error;
  });
}

/** A machine that has gone to sleep, or a network that has changed, closes no connection. */
function endWhenSilent(socket: WebSocket): void {
  let timer = setTimeout(() => socket.terminate(), SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.terminate(), SILENCE_MS);
  };
  socket.on("ping", heard);
  socket.on("message", heard);
  socket.once("close", () => clearTimeout(timer));
}

function readSlowly(socket: WebSocket): void {
  const clock = () => performance.now();
  const [bytes, texts] = [new TokenBucket(TEXT_BYTES, clock), new TokenBucket(TEXTS, clock)];
  const pieces = new TokenBucket(PIECES, clock);
  const pause = pauseReading(socket);
  socket.on("message", (data: Buffer | ArrayBuffer, isBinary) => {
    pause(isBinary ? pieces.spend(1) : Math.max(bytes.spend(data.byteLength), texts.spend(1)));
  });
}

function socketUrl({ url, session }: Pick<SessionAddress, "url" | "session">): URL {
  return new URL(`${withoutTrailing(url, "/")}/v1/sessions/${session}/socket`);
}
