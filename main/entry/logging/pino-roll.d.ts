/** The package brings no types: the part of it that is used, as its README tells it. */
declare module "pino-roll" {
  import type { DestinationStream } from "pino";

  export interface RollOptions {
    readonly file: string;
    readonly extension?: string;
    /** `5m`, `10k`. */
    readonly size?: string;
    /** How many files are kept besides the current one; `removeOtherLogFiles`: also those of earlier runs. */
    readonly limit?: { readonly count: number; readonly removeOtherLogFiles?: boolean };
    /** Keeps `current.log` beside the files. */
    readonly symlink?: boolean;
    readonly sync?: boolean;
    readonly mode?: number;
  }

  export default function roll(options: RollOptions): Promise<
    DestinationStream & {
      on(event: "error", listener: (error: Error) => void): void;
    }
  >;
}
