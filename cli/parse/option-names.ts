import { RemoteError } from "../../core/protocol/errors.ts";
import type { ParamRow } from "./command-row.ts";

/**
 * Returns a refusal that names parameters as the command line does: `--tile` for `params.tile`, `--ttl` for `body.ttl`,
 * `ratio` for an argument by position, `--client` for the HTTP API's ways to choose one. Returns other errors as they are.
 */
export function withOptionNames(error: unknown, params: readonly ParamRow[]): unknown {
  if (!(error instanceof RemoteError)) return error;
  const message =
    error.code === "ambiguous_client" ? withClientOption(error.message) : withOptions(error.message, params);
  return message === error.message ? error : new RemoteError(error.code, message, { cause: error });
}

function withClientOption(message: string): string {
  return message
    .replace("choose one with target_client_id", "choose one with --client")
    .replace('or all of yours with "all"', "or all of yours with --client all");
}

function withOptions(message: string, params: readonly ParamRow[]): string {
  const rule = /^params: (expected (?:exactly|at most) one of )([\w, ]+?)(, got .*|\.)$/s.exec(message);
  if (rule !== null) {
    const [, start = "", names = "", end = ""] = rule;
    return sentence(
      `${start}${names.replace(/\w+/g, (name) => (name === "and" ? name : spellingOf(name, params)))}${end}`,
    );
  }
  const paths = /(?:\bparams|^body|^query|^path)\.([A-Za-z]\w*)(?:\.\d+)?/g;
  const named = message.replace(paths, (_path, name: string) => spellingOf(name, params));
  return named !== message && params.some(({ nullable }) => nullable)
    ? named.replace(", or null,", ", or none,")
    : named;
}

function spellingOf(name: string, params: readonly ParamRow[]): string {
  const param = params.find((candidate) => candidate.name === name);
  if (param === undefined) return name;
  return param.byPosition ? param.word : `--${param.word}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
