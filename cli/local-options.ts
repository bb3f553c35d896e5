import type { LocalOption } from "../core/commands/command.ts";
import type { ParamRow } from "./command-row.ts";

const row = { byPosition: false, required: false } as const;

/** Options that the command line carries out by itself; a declaration names those that its spelling has. */
export const localOptions: Readonly<Record<LocalOption, ParamRow>> = {
  file: {
    ...row,
    name: "file",
    word: "file",
    kind: "text",
    description: "write what is in this file, in place of the data; - is the standard input",
  },
  follow: {
    ...row,
    name: "follow",
    word: "follow",
    kind: "boolean",
    description: "go on with what comes, until the shell ends or Ctrl-C",
  },
};
