import type { SurroundingRelay } from "../../client/in-relay.ts";

/** What a run of the program sees of its environment; tests provide their own. */
export interface Io {
  /** Words after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The caller's working directory; default: that of this process. */
  readonly cwd?: string;
  /** The name that the program was called by. */
  readonly program: "patchbay" | "service";
  readonly stdout: { write(text: string): void; readonly isTTY: boolean; readonly columns: number };
  readonly stderr: { write(text: string): void };
  /** Runs inside a relay for a caller that may be a program in a shell: the keychain's key must not be used. */
  readonly inRelay?: SurroundingRelay;
  /** Opens the standard input; absent where there is none. */
  readonly stdin?: () => AsyncIterable<Uint8Array>;
  /** Asks the user at a terminal, without showing what is typed where it is secret; absent without a terminal. */
  readonly ask?: (question: string, options: { readonly secret: boolean }) => Promise<string>;
  /** Calls `listener` at every Ctrl-C, which then does not end the program. Returns an unsubscribe function. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Loads `main/<name>.js`; default: the one of this installation. */
  readonly loadModule?: (name: "serve" | "local") => Promise<unknown>;
}

/** How to print a result: for people on a terminal, else for programs. */
export interface Style {
  readonly json: boolean;
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** Width of the terminal in cells. */
  readonly columns: number;
  /** Whether a shell's output keeps every escape sequence on a terminal too. */
  readonly raw?: boolean;
}

export function styleOf({ stdout: out, env }: Io, json: boolean): Style {
  const colour = out.isTTY && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return { json, isTTY: out.isTTY, colour, columns: out.columns };
}
