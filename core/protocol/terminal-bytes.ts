import type { ShellId } from "./ids.ts";

/** A piece of shell output, sent as a binary message beside the frames. */
export interface TerminalBytes {
  readonly shell: ShellId;
  /** Position of the first byte in the whole output of the shell. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** A terminal that draws them answers no query in them: they were answered already, or another terminal does it. */
  readonly quiet?: boolean;
}

const HEADER = 12;

/**
 * Encodes a header (shell id as u32, offset as f64, both little-endian) followed by the raw bytes. Of quiet bytes, which only
 * clients get that have said that they know them, the offset is -1 - offset.
 */
export function encodeTerminalBytes({ shell, offset, bytes, quiet = false }: TerminalBytes): Uint8Array {
  const message = new Uint8Array(HEADER + bytes.byteLength);
  const view = new DataView(message.buffer);
  view.setUint32(0, shell, true);
  view.setFloat64(4, quiet ? -1 - offset : offset, true);
  message.set(bytes, HEADER);
  return message;
}

/**
 * Decodes a message without copying the bytes.
 * @throws RangeError if the message is shorter than its header
 */
export function decodeTerminalBytes(message: Uint8Array): TerminalBytes {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const offset = view.getFloat64(4, true);
  return {
    shell: view.getUint32(0, true) as ShellId,
    offset: offset < 0 ? -1 - offset : offset,
    bytes: message.subarray(HEADER),
    quiet: offset < 0,
  };
}
