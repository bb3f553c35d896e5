import { z } from "zod";
import { RemoteError } from "../protocol/errors.ts";
import type { Scope } from "../protocol/scopes.ts";

/**
 * Which callers may call an operation:
 *
 * - `anyone`: every credential; the operation concerns the credential itself.
 * - `shell`: a shell's token, whatever runs in the shell; the operation concerns that shell only.
 * - `read`: every key whose patterns name the operation, and every shell's token.
 * - `change`: a key whose patterns name the operation, unless it is read-only or for its own shells; a shell that is not
 *   restricted.
 * - `shells`: as `change`, and also callers that may change only their own shells, for those; the handler checks which
 *   shell is meant.
 * - `unrestricted`: keys and shells without restrictions only, because the operation could widen their rights.
 */
export type Access = "anyone" | "shell" | "read" | "change" | "shells" | "unrestricted";

/** How an operation is reached over HTTP. */
export interface HttpForm {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/v1/`; `:name` is the parameter of that name. `paramsIn` says where the others are. */
  readonly path: string;
  /** Default: 200. */
  readonly status?: 201;
  /** The response is the result itself, not `{ result }`. */
  readonly bare?: true;
}

/** How an operation is called on the command line: `service <word> [action] [args] [options]`. */
export interface OperationCliForm {
  readonly word: string;
  /** Absent for a word that is one operation. */
  readonly action?: string;
  /** The action that is meant where none is given. */
  readonly isDefault?: true;
  /** Parameters that are given by position; all others are options. `session` comes from the global options. */
  readonly args?: readonly string[];
  /** Parameters that the command line does not offer: earlier names, which mean something else there. */
  readonly absent?: readonly string[];
  /** Parameters that name a file or folder. Relative paths resolve against the caller's working directory. */
  readonly paths?: readonly string[];
  /** An argument for which a single dash stands for the standard input. */
  readonly stdin?: string;
  /** Defaults of the command line where they differ from the declaration's. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** The result is a receipt, and `--wait` takes one of these states to wait for. */
  readonly awaits?: readonly string[];
  /** The field of the result that a terminal shows alone. */
  readonly shows?: string;
  /** That field is the content of a file: a pipe gets it alone, too, unless JSON is asked for. */
  readonly isFile?: true;
  /** The field of the result that is a list; without it the result is one itself. */
  readonly rows?: string;
  /** Columns that a terminal shows of a list. */
  readonly columns?: readonly string[];
  readonly examples?: readonly string[];
  /** `--all` asks every machine at once, and each of its sessions where the list is of one (docs/remotes.md). */
  readonly allMachines?: true;
  /** Summary of a word with several actions, where a list of them does not say enough; one of the actions gives it. */
  readonly wordSummary?: string;
}

/** What the relay itself executes, as opposed to a command, which a client executes. Everything else derives from it. */
export interface OperationSpec<P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  readonly summary: string;
  /** For the documentation: rules and edge cases. */
  readonly details?: string;
  readonly params: P;
  readonly result: R;
  readonly access: Access;
  /** `relay`: for the relay's owner. One with `:session` in its path is for that session's owner. */
  readonly owner?: "relay";
  /** Whether calls change something: those stand in the audit log. */
  readonly effect: "read" | "change";
  /** Closed to agents, allowed ones too: they would decide over themselves. */
  readonly closedToAgents?: true;
  /** Closed to every shell's token: what runs in shells must not decide over its own limits. */
  readonly closedToShells?: true;
  /**
   * Closed to keys for automation: it makes or changes rights and limits that outlast the call, of which a program must not
   * decide its own. What gets the limits of its maker, such as a key, needs no such rule.
   */
  readonly closedToAutomation?: true;
  /** Programs call it often: in the audit log, repetitions by one caller within a minute are one entry. */
  readonly frequent?: true;
  /** Callers authenticate with a bearer token of this scope, in place of an API key. */
  readonly bearer?: Scope;
  /** The result holds a secret, which is stored nowhere, not even for a call that is repeated. */
  readonly hasSecret?: true;
  /** Parameters that may hold secrets: the audit log keeps their length only. */
  readonly sensitive?: readonly string[];
  readonly http: HttpForm;
  readonly cli?: OperationCliForm;
  /** The panel may call it. */
  readonly panel?: true;
}

/** Declares an operation. The compiler checks that `sensitive` names its parameters; a contract test checks `http` and `cli`. */
export function operation<const P extends z.ZodObject, const R extends z.ZodType>(
  spec: OperationSpec<P, R> & { readonly sensitive?: readonly Extract<keyof P["shape"], string>[] },
): OperationSpec<P, R> {
  return spec;
}

/** Returns how long a call waits at most, in seconds, where nothing else is given as `wait`; 0 for one that does not wait. */
export function usualWait({ params: { shape } }: OperationSpec): number {
  const wait: unknown = "wait" in shape ? z.safeParse(shape.wait, undefined).data : undefined;
  return typeof wait === "number" ? wait : 0;
}

/** Returns how long a call with these parameters waits at most, in seconds. @param usual - result of `usualWait` */
export function secondsToWait(usual: number, params: object): number {
  return "wait" in params && typeof params.wait === "number" ? params.wait : usual;
}

/** Names of the parameters in a path, such as `session` of `sessions/:session`. */
export function pathParams(path: string): readonly string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = ""]) => name);
}

/** Where a request carries the parameters that are not in its path. */
export function paramsIn({ method }: Pick<HttpForm, "method">): "query" | "body" {
  return method === "GET" || method === "DELETE" ? "query" : "body";
}

/**
 * Returns the request for an operation: its path below `/v1/`, with the query, and its body; no body where the other
 * parameters are in the query.
 *
 * @throws RemoteError `invalid_params` where the path has no value
 */
export function requestOf(
  http: HttpForm,
  params: object,
): { readonly path: string; readonly body: object | undefined } {
  const given = new Map<string, unknown>(Object.entries(params).filter(([, value]) => value !== undefined));
  const path = http.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = given.get(name);
    if (value === undefined) throw new RemoteError("invalid_params", `params.${name}: expected a value, got nothing.`);
    given.delete(name);
    return encodeURIComponent(String(value));
  });
  if (paramsIn(http) === "body") return { path, body: Object.fromEntries(given) };
  const query = [...given].map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return { path: given.size === 0 ? path : `${path}?${query}`, body: undefined };
}

/** Splits the declared parameters of an operation into those of its path and all others. */
export function splitParams({ params, http }: Pick<OperationSpec, "params" | "http">): {
  readonly inPath: z.ZodObject;
  readonly others: z.ZodObject;
} {
  const names = pathParams(http.path);
  const of = (isInPath: boolean) =>
    z.object(Object.fromEntries(Object.entries(params.shape).filter(([name]) => names.includes(name) === isInPath)));
  return { inPath: of(true), others: of(false) };
}
