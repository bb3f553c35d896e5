import { WireError, WireReader, WireWriter } from "./wire.ts";

/** Longer messages are rejected: the replies used here have a few hundred bytes. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const FIXED_HEAD = 16;
const PROTOCOL_VERSION = 1;
const TYPES = { call: 1, return: 2, error: 3, signal: 4 } as const;
const FIELDS = {
  path: 1,
  interface: 2,
  member: 3,
  error: 4,
  replyTo: 5,
  destination: 6,
  sender: 7,
  signature: 8,
} as const;
const LITTLE = 0x6c;
const BIG = 0x42;
const NO_REPLY_EXPECTED = 1;

/** A method that is called on another program. */
export interface MethodCall {
  /** Bus name of the program. */
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Types of the arguments, in D-Bus's notation. */
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

export interface ReceivedMessage {
  readonly type: number;
  readonly serial: number;
  readonly replyTo: number | undefined;
  readonly path: string | undefined;
  readonly interface: string | undefined;
  readonly member: string | undefined;
  readonly error: string | undefined;
  readonly sender: string | undefined;
  readonly body: readonly unknown[];
}

export const isReply = ({ type }: ReceivedMessage) => type === TYPES.return || type === TYPES.error;
export const isSignal = ({ type }: ReceivedMessage) => type === TYPES.signal;

export function encodeCall(call: MethodCall, serial: number, { reply }: { reply: boolean }): Buffer {
  const { signature = "", body = [] } = call;
  const content = new WireWriter();
  content.writeAll(signature, body);
  const head = new WireWriter();
  head.append(Buffer.from([LITTLE, TYPES.call, reply ? 0 : NO_REPLY_EXPECTED, PROTOCOL_VERSION]));
  head.write("u", content.bytes.length);
  head.write("u", serial);
  const fields: [number, string, string][] = [
    [FIELDS.path, "o", call.path],
    [FIELDS.interface, "s", call.interface],
    [FIELDS.member, "s", call.member],
    [FIELDS.destination, "s", call.destination],
    ...(signature === "" ? [] : [[FIELDS.signature, "g", signature] as [number, string, string]]),
  ];
  head.write(
    "a(yv)",
    fields.map(([code, type, value]) => [code, { signature: type, value }]),
  );
  head.align(8);
  head.append(content.bytes);
  return head.bytes;
}

/** Bytes of the first message; undefined while its head is not there yet. Throws a WireError where it is no message. */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < FIXED_HEAD) return undefined;
  const little = isLittle(bytes);
  const read = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const head = FIXED_HEAD + read(12);
  const length = head + ((8 - (head % 8)) % 8) + read(4);
  if (length > MAX_MESSAGE_BYTES) throw new WireError("a message is too long");
  return length;
}

/** Reads one whole message. Throws a WireError where it is not valid. */
export function decodeMessage(bytes: Buffer): ReceivedMessage {
  const little = isLittle(bytes);
  const reader = new WireReader(bytes, little, 8);
  const serial = Number(reader.read("u"));
  const fields = new Map<number, unknown>();
  for (const field of asArray(reader.read("a(yv)"))) {
    const [code, value] = asArray(field);
    fields.set(Number(code), value);
  }
  reader.align(8);
  const text = (code: number) => {
    const value = fields.get(code);
    return typeof value === "string" ? value : undefined;
  };
  const replyTo = fields.get(FIELDS.replyTo);
  return {
    type: bytes[1] ?? 0,
    serial,
    replyTo: typeof replyTo === "number" ? replyTo : undefined,
    path: text(FIELDS.path),
    interface: text(FIELDS.interface),
    member: text(FIELDS.member),
    error: text(FIELDS.error),
    sender: text(FIELDS.sender),
    body: reader.readAll(text(FIELDS.signature) ?? ""),
  };
}

function isLittle(bytes: Buffer): boolean {
  if (bytes[0] === LITTLE) return true;
  if (bytes[0] === BIG) return false;
  throw new WireError("this is no message");
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
