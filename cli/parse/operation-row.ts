import { z } from "zod";
import type { OperationName } from "../../core/operations/index.ts";
import { type OperationCliForm, type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import { type ParamRow, paramRows } from "./command-row.ts";

/** An operation as plain data, for the command line. */
export interface OperationRow {
  readonly name: OperationName;
  readonly summary: string;
  readonly details: string;
  readonly cli?: {
    readonly word: string;
    readonly action?: string;
    readonly isDefault: boolean;
    /** Those by position first, in their order. */
    readonly params: readonly ParamRow[];
    readonly shows?: string;
    readonly isFile?: true;
    /** The result is a receipt, and `--wait` takes one of these states to wait for. */
    readonly awaits?: readonly string[];
    /** An argument for which a single dash stands for the standard input. */
    readonly stdin?: string;
    readonly columns?: readonly string[];
    readonly examples: readonly string[];
    readonly wordSummary?: string;
    /** It can be asked of every machine at once. */
    readonly allMachines: boolean;
  };
  /** It acts on one session. */
  readonly inSession: boolean;
}

/** Returns the row of an operation, derived from its declaration alone. */
export function operationRow(name: OperationName, spec: OperationSpec): OperationRow {
  const { summary, details = "", http, cli } = spec;
  return {
    name,
    summary,
    details,
    inSession: pathParams(http.path).includes("session"),
    ...(cli === undefined
      ? {}
      : {
          cli: {
            word: cli.word,
            ...(cli.action === undefined ? {} : { action: cli.action }),
            isDefault: cli.isDefault === true,
            params: rowsOf(spec, cli),
            ...(cli.shows === undefined ? {} : { shows: cli.shows }),
            ...(cli.isFile === undefined ? {} : { isFile: cli.isFile }),
            ...(cli.awaits === undefined ? {} : { awaits: cli.awaits }),
            ...(cli.stdin === undefined ? {} : { stdin: cli.stdin }),
            ...(cli.columns === undefined ? {} : { columns: cli.columns }),
            examples: cli.examples ?? [],
            allMachines: cli.allMachines === true,
            ...(cli.wordSummary === undefined ? {} : { wordSummary: cli.wordSummary }),
          },
        }),
  };
}

function rowsOf(
  { params, http }: OperationSpec,
  { args = [], defaults = {}, absent = [], paths = [] }: OperationCliForm,
): ParamRow[] {
  // The session is an option of every command, unless it is an argument by position.
  const isGlobal = pathParams(http.path).includes("session") && !args.includes("session");
  const left = new Set([...absent, ...(isGlobal ? ["session"] : [])]);
  const own = z.object(Object.fromEntries(Object.entries(params.shape).filter(([name]) => !left.has(name))));
  return paramRows({ params: own }, { args, paths }).map((row) => {
    const preset = defaults[row.name];
    return preset === undefined ? row : { ...row, default: preset };
  });
}
