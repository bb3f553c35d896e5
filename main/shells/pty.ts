import { spawn } from "@lydell/node-pty";
import { RemoteError } from "../../core/protocol/errors.ts";

export interface PtyOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ShellExit {
  /** Exit status; 0 when a signal ended the shell. */
  readonly exitCode: number;
  /** Number of the signal that ended it, null when it ended by itself. */
  readonly signal: number | null;
}

export interface Pty {
  readonly pid: number;
  onData(receive: (bytes: Buffer) => void): void;
  onExit(receive: (exit: ShellExit) => void): void;
  write(bytes: Buffer): void;
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
  return {
    pid: pty.pid,
    onData: (receive) => void pty.onData((data: unknown) => receive(asBytes(data))),
    onExit: (receive) =>
      void pty.onExit(({ exitCode, signal = 0 }) => receive({ exitCode, signal: signal === 0 ? null : signal })),
    write: (bytes) => raw.write(bytes),
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

function asBytes(data: unknown): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(String(data), "utf8");
}
