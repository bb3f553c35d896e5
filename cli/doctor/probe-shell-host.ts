import { connect } from "node:net";

const LENGTHS_BYTES = 8;
/** No relay speaks this version, so the host refuses it and keeps its relay. */
const NO_PROTOCOL = 0;

/**
 * Returns whether the shell host answers in time. Greets it with its secret and a protocol version that it must refuse: a
 * connection alone proves nothing, because the system accepts connections for a process that hangs.
 */
export function shellHostAnswers(
  { socket: path, secret }: { readonly socket: string; readonly secret: string },
  patienceMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const settle = (answered: boolean) => {
      clearTimeout(late);
      socket.destroy();
      resolve(answered);
    };
    const late = setTimeout(() => settle(false), patienceMs);
    socket.once("connect", () => socket.write(frame({ type: "hello", protocol: NO_PROTOCOL, secret })));
    socket.once("data", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("close", () => settle(false));
  });
}

/** Encodes a frame as main/shells/host/frame.ts does: lengths of head and tail, and the head as JSON. */
function frame(head: object): Buffer {
  const text = JSON.stringify(head);
  const bytes = Buffer.alloc(LENGTHS_BYTES + Buffer.byteLength(text));
  bytes.writeUInt32BE(Buffer.byteLength(text), 0);
  bytes.write(text, LENGTHS_BYTES);
  return bytes;
}
