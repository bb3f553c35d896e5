import { writeSync } from "node:fs";
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
  /** Bytes for the program, in order. Those that do not fit into the terminal yet wait in `input`. */
  readonly input: InputQueue;
  resize(cols: number, rows: number): void;
  /** Whether its output is left unread for now, so that the program has to wait once the system holds no more. */
  hold(held: boolean): void;
  /** Ends the shell where there are no process groups to signal (Windows). */
  kill(): void;
}

/** What node-pty does beyond its types: bytes in and out with `encoding: null`, and the events of its socket. */
interface RawPty {
  write(data: Buffer): void;
  on?(event: "error", listener: () => void): void;
}

/** Starts a program on a pseudo-terminal of its own. Its output comes as bytes, never decoded piecemeal. */
export function spawnPty({ program, args, cwd, cols, rows, environment }: PtyOptions): Pty {
  const pty = start();
  const raw = pty as unknown as RawPty;
  // Without a second listener node-pty throws what a write into a dying shell reports.
  raw.on?.("error", () => undefined);
  const input = new InputQueue(writerOf(pty, raw));
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

/** As every shell reports a command that a signal ended. */
function exitOf(exitCode: number, signal: number): ShellExit {
  return signal === 0 ? { exitCode, signal: null } : { exitCode: 128 + signal, signal };
}

/**
 * Writes to the terminal without ever waiting. node-pty's own write ends in libuv's blocking one, which spins inside
 * write(2) while the terminal is full and so stops every other shell: only where there is no file descriptor to write to
 * (Windows, whose pipes do not block) it is used.
 */
function writerOf(pty: object, raw: RawPty): (bytes: Buffer) => number {
  const fd = "fd" in pty ? pty.fd : undefined;
  const socket = "_socket" in pty ? pty._socket : undefined;
  if (typeof fd !== "number" || !(socket instanceof ReadStream)) {
    return (bytes) => {
      raw.write(bytes);
      return bytes.length;
    };
  }
  return (bytes) => {
    // From then on the number may be that of another file. Nothing reads any more, so nothing is lost.
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
