/** The scripts are JavaScript, whose own types `tsc -p tools` checks; here they are taken as they are. */

// Programs in TypeScript take this one as a type too. The first pattern that fits counts.
declare module "*/stops.mjs" {
  export class Stops {
    add(end: () => unknown): () => Promise<void>;
    all(): Promise<void>;
  }
}
declare module "*.mjs";
