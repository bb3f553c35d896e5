/** What a run of the program sees of the world, so that tests can lend it another one. */
export interface Io {
  /** Words after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the caller stands in; default: that of this process. */
  readonly cwd?: string;
  /** The name it was called by. */
  readonly program: "patchbay" | "service";
  readonly out: { write(text: string): void; readonly isTTY: boolean; readonly columns: number };
  readonly err: { write(text: string): void };
  /** It runs inside the relay, for a caller who may sit in a shell: the keychain is not for everyone who calls. */
  readonly inRelay?: true;
  /** The standard input; absent where there is none to read. */
  readonly input?: () => AsyncIterable<Uint8Array>;
  /** Calls at every Ctrl-C, which then does not end the program; answers how to stop that. */
  readonly onInterrupt?: (listener: () => void) => () => void;
}

/** How to show something: on a terminal for people, else for programs. */
export interface Style {
  readonly json: boolean;
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** Width of the terminal in cells. */
  readonly columns: number;
}

export function styleOf({ out, env }: Io, json: boolean): Style {
  const colour = out.isTTY && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return { json, isTTY: out.isTTY, colour, columns: out.columns };
}
