import type { Socket } from "node:net";
import { errorText } from "../../../core/protocol/error-text.ts";
import { encodeFrame, type Frame, FrameReader } from "./frame.ts";

/** Unread bytes after which the peer is disconnected: its windows are far smaller, so it has stopped reading. */
const UNREAD_LIMIT_BYTES = 64 * 1024 * 1024;
/** Unread bytes from which on what can wait is not sent. */
const ROOM_BYTES = 2 * 1024 * 1024;

/** Frames over a local socket. */
export interface FrameSocket {
  send(head: object, tail?: Uint8Array): void;
  /** Passes everything that is sent in this function to the system in one write. */
  together(send: () => void): void;
  /** Bytes that the peer has not read, beyond what the system buffers. */
  readonly unread: number;
  /** Whether the peer keeps up with what it is sent. Senders of what can wait ask before, so nothing cuts the connection. */
  readonly hasRoom: boolean;
  /** Closes the connection after everything sent so far has been delivered. */
  end(): void;
  destroy(): void;
}

/**
 * Reads frames from a socket until it closes. `closed` is called once, with a reason if there is one: bytes that are
 * not a frame, a receiver that throws, or a peer that does not read.
 */
export function frameSocket(
  socket: Socket,
  {
    receive,
    closed,
    room,
  }: {
    receive: (frame: Frame) => void;
    closed: (reason: string | undefined) => void;
    /** Called when the peer has read everything after there was no room. */
    room?: () => void;
  },
): FrameSocket {
  const reader = new FrameReader();
  let reason: string | undefined;
  const cut = (why: string) => {
    reason ??= why;
    socket.destroy();
  };
  socket.setNoDelay(true);
  socket.on("data", (piece: Buffer) => {
    try {
      for (const frame of reader.push(piece)) if (!socket.destroyed) receive(frame);
    } catch (error) {
      cut(errorText(error));
    }
  });
  socket.on("error", (error) => {
    reason ??= error.message;
  });
  socket.once("close", () => closed(reason));
  if (room !== undefined) socket.on("drain", room);
  const together = (write: () => void) => {
    socket.cork();
    try {
      write();
    } finally {
      socket.uncork();
    }
  };
  return {
    send(head, tail) {
      if (!socket.writable) return;
      const [first = "", second] = encodeFrame(head, tail);
      if (second === undefined) socket.write(first);
      else {
        together(() => {
          socket.write(first);
          socket.write(second);
        });
      }
      if (socket.writableLength > UNREAD_LIMIT_BYTES) cut("too much was left unread");
    },
    together,
    get unread() {
      return socket.writableLength;
    },
    get hasRoom() {
      return socket.writableLength < ROOM_BYTES;
    },
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  };
}
