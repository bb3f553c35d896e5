import { RemoteError } from "../../core/protocol/errors.ts";
import type { CommandRow } from "./command-row.ts";

/** A refusal in the words of the command line: `--tile` or `ratio` for `params.tile` and `params.ratio`, `--client` for the HTTP API's ways to choose one. */
export function inCommandWords(error: unknown, row: CommandRow): unknown {
  if (!(error instanceof RemoteError)) return error;
  const message = error.code === "ambiguous_client" ? withClientOption(error.message) : withOptions(error.message, row);
  return message === error.message ? error : new RemoteError(error.code, message, { cause: error });
}

function withClientOption(message: string): string {
  return message.replace("choose one with target_client_id.", "choose one with --client.");
}

function withOptions(message: string, row: CommandRow): string {
  const rule = /^params: (expected (?:exactly|at most) one of )([\w, ]+?)(, got .*)$/s.exec(message);
  if (rule !== null) {
    const [, start = "", names = "", end = ""] = rule;
    return sentence(`${start}${names.replace(/\w+/g, (name) => (name === "and" ? name : wordOf(name, row)))}${end}`);
  }
  return message.replace(/\bparams\.([A-Za-z]\w*)(?:\.\d+)?/g, (_all, name: string) => wordOf(name, row));
}

function wordOf(name: string, row: CommandRow): string {
  const param = row.params.find((candidate) => candidate.name === name);
  if (param === undefined) return name;
  return param.byPosition ? param.word : `--${param.word}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
