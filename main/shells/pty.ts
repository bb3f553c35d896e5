import { readSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { spawn } from "@lydell/node-pty";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { ShellExit } from "../../core/protocol/shell-host.ts";
import { InputQueue } from "./input-queue.ts";

export interface PtyOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface Pty {
  readonly pid: number;
  onData(receive: (bytes: Buffer) => void): void;
  onExit(receive: (exit: ShellExit) => void): void;
  /** Input for the program, in order; bytes that do not fit into the terminal yet are queued. */
  readonly input: InputQueue;
  resize(cols: number, rows: number): void;
  /** Stops or resumes reading output, so that the program blocks once the system's buffer is full. */
  hold(held: boolean): void;
  /** Ends the shell on systems without process groups (Windows). */
  kill(): void;
}

/** Features of node-pty missing from its types: bytes in and out with `encoding: null`, and its socket's events. */
interface RawPty {
  write(data: Buffer): void;
  on?(event: "error", listener: () => void): void;
}

/** Starts a program on a new pseudo-terminal. Output is delivered as bytes, never decoded piecemeal. */
export function spawnPty({ program, args, cwd, cols, rows, environment }: PtyOptions): Pty {
  const pty = start();
  const raw = pty as unknown as RawPty;
  // Without a second listener node-pty throws errors of writes to an exiting shell.
  raw.on?.("error", () => undefined);
  const input = new InputQueue(writerOf(pty, raw));
  readRestAtEnd(pty);
  return {
    pid: pty.pid,
    onData: (receive) =>
      void pty.onData((data: unknown) => {
        receive(asBytes(data));
        input.retry();
      }),
    onExit: (receive) =>
      void pty.onExit(({ exitCode, signal = 0 }) => {
        input[Symbol.dispose]();
        receive(exitOf(exitCode, signal));
      }),
    input,
    resize: (newCols, newRows) => pty.resize(newCols, newRows),
    hold: (held) => (held ? pty.pause() : pty.resume()),
    kill: () => pty.kill(),
  };

  function start() {
    try {
      return spawn(program, [...args], { name: "xterm-256color", cols, rows, cwd, env: environment, encoding: null });
    } catch (cause) {
      throw new RemoteError("spawn_failed", "The shell could not be started: the system gave no pseudo-terminal.", {
        cause,
      });
    }
  }
}

/** The exit code that shells report for a command ended by a signal. */
function exitOf(exitCode: number, signal: number): ShellExit {
  return signal === 0 ? { exitCode, signal: null } : { exitCode: 128 + signal, signal };
}

/** Terminals hold less; a process that has outlived the program may write on for ever. */
const MAX_REST_BYTES = 1024 * 1024;
const REST_PIECE_BYTES = 64 * 1024;

/**
 * node-pty closes the terminal 200 ms after its program has ended, also where output was held, or a busy machine has let
 * nobody read since: what is there is read first.
 */
function readRestAtEnd(pty: object): void {
  const { fd, socket } = partsOf(pty);
  if (fd === undefined) return;
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (!socket.destroyed) {
      // What the stream holds is older than what the system holds; both reach the listeners of "data".
      while (socket.read() !== null);
      for (const bytes of restOf(fd)) socket.emit("data", bytes);
    }
    return destroy(error);
  };
}

function* restOf(fd: number): Generator<Buffer> {
  for (let total = 0; total < MAX_REST_BYTES; ) {
    const bytes = Buffer.alloc(REST_PIECE_BYTES);
    let length = 0;
    try {
      length = readSync(fd, bytes);
    } catch {
      // EAGAIN: there is no more; EIO: every program has closed the terminal, and all was read.
    }
    if (length === 0) return;
    total += length;
    yield bytes.subarray(0, length);
  }
}

/** Returns what a terminal is read and written by; nothing on Windows, whose pipes have neither. */
function partsOf(pty: object): { fd: number; socket: ReadStream } | { fd?: undefined; socket?: undefined } {
  const fd = "fd" in pty ? pty.fd : undefined;
  const socket = "_socket" in pty ? pty._socket : undefined;
  return typeof fd === "number" && socket instanceof ReadStream ? { fd, socket } : {};
}

/**
 * Writes to the terminal without blocking. node-pty's own write ends in libuv's blocking one, which spins inside
 * write(2) while the terminal is full and so stops every other shell; it is used only without a file descriptor
 * (Windows, whose pipes do not block).
 */
function writerOf(pty: object, raw: RawPty): (bytes: Buffer) => number {
  const { fd, socket } = partsOf(pty);
  if (fd === undefined) {
    return (bytes) => {
      raw.write(bytes);
      return bytes.length;
    };
  }
  return (bytes) => {
    // The descriptor may belong to another file by now. Nothing reads any more, so nothing is lost.
    if (socket.destroyed) return bytes.length;
    try {
      return writeSync(fd, bytes);
    } catch (error) {
      // EIO: every program has closed the terminal.
      const full = error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EINTR");
      return full ? 0 : bytes.length;
    }
  };
}

function asBytes(data: unknown): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(String(data), "utf8");
}
