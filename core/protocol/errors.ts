import type { CommandTarget } from "./ids.ts";

/**
 * Every error code with its HTTP status (docs/decisions/0003) and, for docs/reference/errors.md, when it occurs. Codes are stable:
 * programs read them from the header `X-Service-Error`.
 */
export const errorTable = {
  malformed_json: [400, "The body is not JSON."],
  invalid_params: [400, "A field of the body or of the query has a wrong value; the message names its path."],
  unknown_method: [400, "No method has this name; the message offers the nearest one."],
  invalid_request: [400, "The request cannot be acted on as it is, for example `broadcastEvent` with a target."],
  no_split: [400, "The tile stands alone, so there is no split to change."],
  workspace_not_empty: [400, "`setup` needs an empty workspace, or `force`."],
  not_a_shell: [400, "The tile does not show a shell."],
  shell_exited: [400, "The shell has ended and takes no more input."],
  no_shell_integration: [400, "The shell reports no command marks (OSC 133), so the end of a command cannot be known."],
  shell_busy: [400, "A command is running in the shell, so another one cannot be waited for."],
  input_full: [
    400,
    "16 MiB of input wait for the shell's program, which does not read; nothing of the write was taken.",
  ],
  limit_reached: [400, "A limit is reached; the message names it."],
  spawn_failed: [400, "The shell could not be started, for example because its folder does not exist."],
  unauthenticated: [401, "No credential, or one that this scheme does not accept."],
  not_owner: [403, "The credential is good, but not the session owner's."],
  role_forbids: [403, "The role of the executing client does not allow it."],
  scope_forbids: [403, "The key or token may not call this."],
  not_your_shell: [403, "Only an admin may act on another user's shell."],
  foreign_origin: [403, "The `Host` or `Origin` header is not one that this relay answers to."],
  invite_spent: [403, "The invite was used already, has expired, or was never made."],
  unknown_route: [404, "No such path."],
  unknown_session: [404, "No session has this id."],
  unknown_client: [404, "No connected client has this id; the message lists those that are connected."],
  unknown_shell: [404, "No shell has this id."],
  unknown_tile: [404, "No tile has this key."],
  unknown_tab: [404, "The tab group has no tab with this index."],
  unknown_workspace: [404, "There is no workspace with this index."],
  unknown_agent_session: [404, "No agent session has this id."],
  unknown_request: [404, "The request to answer is not there (any more)."],
  unknown_plugin: [404, "The session has no plugin with this id; the message lists those that it has."],
  unknown_tunnel: [404, "No program in the session's shells listens on this port."],
  unknown_key: [404, "No key has this name or id."],
  unknown_login: [404, "No login waits with this code: it was answered, or has expired."],
  unknown_receipt: [404, "The session has no receipt with this id, or keeps it no longer."],
  unknown_question: [404, "The session has no question with this id, or keeps it no longer."],
  unknown_budget: [404, "There is no such budget of agents."],
  unknown_policy: [404, "The session has no policy with this id."],
  unknown_webhook: [404, "There is no webhook with this id, or no such message of it."],
  unknown_invite: [404, "No open invite has this id."],
  unknown_guest: [404, "The session has no guest with this id: removed, or expired."],
  wrong_method: [405, "The path exists, but not with this HTTP method; `Allow` lists those it has."],
  ambiguous_shell: [409, "Several shells fit `match`; the message lists them."],
  ambiguous_client: [409, "Several clients are connected and none was chosen; the body lists them."],
  shells_running: [409, "Shells still run in the session that was to be closed, and it was not forced."],
  question_open: [
    409,
    "A question of an agent is open in the shell, and the call is guarded or its caller acts for an agent: only a person may answer it.",
  ],
  budget_reached: [
    409,
    "A budget of agents is spent, so automated input to the shell is held; the message names the question that asks how to go on.",
  ],
  draft_unsent: [409, "A person has typed something in the shell and not sent it, and the call is guarded."],
  lease_held: [409, "Another program has the shell's writer lease; the message says which and until when."],
  unexpected_program: [409, "Another program than the expected one is in front in the shell; the message names it."],
  terminal_mode: [
    409,
    "The terminal is in a mode in which the input would not arrive as it is meant; the message names the mode.",
  ],
  prompt_undelivered: [
    409,
    "The prompt was refused, cancelled or has expired, or its receipt is final without the state that was waited for.",
  ],
  prompt_sent: [409, "The prompt is no longer in the queue, so it cannot be changed or cancelled."],
  question_closed: [
    409,
    "The question was answered, withdrawn or expired before; the message says by whom and with what answer.",
  ],
  question_changed: [
    409,
    "The answer was given to something else than what the question asks now. Read the question again, and answer that.",
  ],
  question_not_answerable: [
    409,
    "An answer cannot reach the agent through Patchbay now; the message says why. Answer in its terminal.",
  ],
  screen_changed: [409, "The terminal's screen is not the one that the answer was given for; look at it again."],
  idempotency_conflict: [409, "The same `Idempotency-Key` came with another body."],
  plugin_id_mismatch: [409, "The manifest carries another id than the request."],
  idempotency_unknown: [
    409,
    "The relay was cut off while it executed the request with this `Idempotency-Key`, or no longer keeps its answer.",
  ],
  slow_request: [408, "The request did not arrive as a whole in time."],
  body_too_large: [413, "The body is over 1 MiB."],
  unsupported_media_type: [415, "The content type is not application/json."],
  headers_too_large: [431, "The request's headers are over 16 KiB."],
  too_many_failures: [429, "More than 10 failed authentications in a minute; `Retry-After` says when to try again."],
  too_many_requests: [
    429,
    "The caller has as many waits, reads or streams open in the session, or as much unread, as one caller may have, or has asked to type a short while ago; the message says which.",
  ],
  too_many_logins: [429, "Too many programs ask to be logged in; answer one, or wait a minute."],
  internal: [500, "Patchbay itself failed; its log says how."],
  storage_failed: [507, "The disk is full or cannot be written, so nothing was saved."],
  client_failed: [
    502,
    "The executing client answered with an internal failure, or with something else than the command's result.",
  ],
  tunnel_failed: [502, "The program behind a tunnel does not answer, or ended its answer early."],
  fetch_failed: [502, "A plugin's manifest or entry page could not be fetched."],
  shells_unreachable: [
    502,
    "The shell host ended or was disconnected during the call; the call may have been executed.",
  ],
  too_many_connections: [503, "More connections are open than are borne; those without a good key go first."],
  no_client: [504, "No client connected before the timeout."],
  no_answer: [504, "The client did not answer before the timeout."],
  client_gone: [504, "The client left while it was executing."],
  shell_host_timeout: [504, "The shell host did not answer before the timeout; the message says whether it hangs."],
  relay_away: [
    504,
    "The relay of the fleet that serves the session did not answer before the timeout; the message says whether the request may have been executed.",
  ],
  wait_timeout: [504, "What was waited for did not happen in time; the message says how far it came."],
} as const satisfies Record<string, readonly [status: number, when: string]>;

export type ErrorCode = keyof typeof errorTable;

/** Returns the HTTP status of an error code. */
export function httpStatusOf(code: ErrorCode): number {
  return errorTable[code][0];
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

interface RemoteErrorOptions extends ErrorOptions {
  readonly hit?: CommandTarget | undefined;
}

/** The only error that crosses a boundary. Its message tells the user what was wrong and what is expected. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly code: ErrorCode;
  /** What the refused command would have acted on, as far as it was found. */
  readonly hit: CommandTarget;

  constructor(code: ErrorCode, message: string, { hit = {}, ...options }: RemoteErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.hit = hit;
  }
}

/** Returns the error of a command with what the command would have acted on. */
export function withTarget(error: unknown, hit: CommandTarget): unknown {
  if (!(error instanceof RemoteError)) return error;
  return new RemoteError(error.code, error.message, { cause: error.cause ?? error, hit });
}

/** Marks the default case of an exhaustive switch: compiles only if every case is handled. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
