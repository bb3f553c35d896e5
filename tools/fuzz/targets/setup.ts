import { parseCells, parseCommands, parseGrid } from "../../../core/layout/setup-grammar.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";

export const seeds = [
  Buffer.from("3x2\nshell:htop+shell,tunnel:3000,browser:https://x.test/?a=1,'a,b'\nmake test,'echo \"a, b\"',ls"),
];

/** The grammar of `setup`: grid, cells and commands, one per line. */
export function fuzz(data: Buffer): void {
  const [grid = "", cells = "", ...commands] = data.toString("utf8").split("\n");
  for (const parse of [() => parseGrid(grid), () => parseCells(cells), () => parseCommands(commands.join("\n"))]) {
    try {
      parse();
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }
}
