import { writeFileSync } from "node:fs";
import { FuzzFailure, fuzzGuided } from "./guided.ts";

export interface Target {
  readonly name: string;
  readonly fuzz: (data: Buffer) => void | Promise<void>;
  readonly seeds: readonly Buffer[];
  readonly script: string;
}

/** Fuzzes one target and prints a line. Returns whether it passed; a failing input is written to `crashFile`. */
export async function runTarget(
  target: Target,
  { seconds, crashFile }: { seconds: number; crashFile: string },
): Promise<boolean> {
  const seed = Date.now() % 1_000_000;
  try {
    const { runs, blocks, kept, slowestMs, grownBytes } = await fuzzGuided({ ...target, seconds, seed });
    const grown = `${Math.round(grownBytes / 1e6)} MB`;
    process.stdout.write(
      `${target.name.padEnd(12)} held: ${runs} runs, ${blocks} blocks reached, ${kept} inputs kept, slowest ${Math.round(slowestMs)} ms, grown ${grown}\n`,
    );
    return true;
  } catch (error) {
    if (!(error instanceof FuzzFailure)) throw error;
    writeFileSync(crashFile, error.input);
    process.stdout.write(
      `${target.name.padEnd(12)} BROKE (seed ${seed}): ${error.message}; the input is in ${crashFile}\n`,
    );
    process.stdout.write(`${error.cause instanceof Error ? error.cause.stack : ""}\n`);
    return false;
  }
}
