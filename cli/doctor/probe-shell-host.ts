import { connect } from "node:net";

const LENGTHS_BYTES = 8;
/** No relay speaks this version, so the host refuses it, and goes on with the relay that it has. */
const NO_PROTOCOL = 0;

/**
 * Whether the process that holds the shells answers in time: it is greeted with its secret and a version of the protocol
 * that it must refuse. To connect would prove nothing, because the system accepts connections for a process that hangs.
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

/** As main/shells/host/frame.ts: lengths of head and tail, and the head in JSON. */
function frame(head: object): Buffer {
  const text = JSON.stringify(head);
  const bytes = Buffer.alloc(LENGTHS_BYTES + Buffer.byteLength(text));
  bytes.writeUInt32BE(Buffer.byteLength(text), 0);
  bytes.write(text, LENGTHS_BYTES);
  return bytes;
}
