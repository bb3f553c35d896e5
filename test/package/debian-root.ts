import { startDebian as start } from "../../tools/fresh/debian-root.mjs";

export interface Ended {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

/** A small Debian of its own below a temporary folder, with its own processes; nothing of it is left afterwards. */
export interface DebianRoot extends AsyncDisposable {
  readonly folder: string;
  /** Runs a shell's command line in it, as root or as another user, with that user's bare environment. */
  run(command: string, options?: { readonly user?: string }): Promise<Ended>;
  /** As `run`, but a failure fails the test; answers what was printed, without white space around it. */
  must(command: string, options?: { readonly user?: string }): Promise<string>;
  /** Starts a program that goes on; it ends with the root at the latest. */
  start(command: string, options: { readonly user: string }): void;
}

/** Unpacks a Debian from an archive of its files and starts it. Needs root. */
export const startDebian: (archive: string) => Promise<DebianRoot> = start;
