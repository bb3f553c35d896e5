import type { ShellId } from "./ids.ts";

/** A piece of a shell's output as it travels beside the frames. */
export interface TerminalBytes {
  readonly shell: ShellId;
  /** Position of the first byte in the whole output of the shell. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const HEADER = 12;

/** Header (shell id as u32, offset as f64, both little-endian), then the bytes as the shell wrote them. */
export function encodeTerminalBytes({ shell, offset, bytes }: TerminalBytes): Uint8Array {
  const message = new Uint8Array(HEADER + bytes.byteLength);
  const view = new DataView(message.buffer);
  view.setUint32(0, shell, true);
  view.setFloat64(4, offset, true);
  message.set(bytes, HEADER);
  return message;
}

/** The reverse, without copying the bytes. Throws a RangeError when the message is shorter than its header. */
export function decodeTerminalBytes(message: Uint8Array): TerminalBytes {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  return {
    shell: view.getUint32(0, true) as ShellId,
    offset: view.getFloat64(4, true),
    bytes: message.subarray(HEADER),
  };
}
