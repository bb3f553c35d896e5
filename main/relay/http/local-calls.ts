import { isOperation } from "../../../core/operations/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { CommandTarget } from "../../../core/protocol/ids.ts";
import { checkOwner } from "../access/permits/permit.ts";
import type { CallOptions, Calls } from "../calls/calls.ts";
import { readCommand } from "../calls/read-command.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Auth } from "./auth.ts";
import type { FairTurns } from "./fair-turns.ts";
import type { ForeignSessions } from "./foreign-sessions.ts";

/** A call of a program of this machine that runs in this process, with a key of its own. */
export interface LocalCall extends Pick<CallOptions, "session" | "client" | "source"> {
  readonly token: string;
  readonly name: string;
  /** It is an operation, also where a command has the same name. */
  readonly isOperation: boolean;
  readonly params: Readonly<Record<string, unknown>>;
  /** As in the headers of a request. */
  readonly timeout?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface LocalAnswer {
  readonly result: unknown;
  readonly hit: CommandTarget & { readonly client?: number };
}

interface LocalCallsOptions {
  readonly calls: Calls;
  readonly sessions: Pick<Sessions, "get">;
  readonly auth: Auth;
  readonly turns: FairTurns;
  readonly foreign: () => ForeignSessions | undefined;
  readonly commandTimeoutMs: number;
}

export type CallLocally = (call: LocalCall, gone: AbortSignal) => Promise<LocalAnswer | undefined>;

/**
 * Returns a function that executes calls of this process as those of this machine's programs: with the checks, turns and
 * records of a request, without one. It resolves to undefined, and executes nothing, where another relay of the fleet may have
 * to answer; it rejects with a RemoteError as the call is refused.
 */
export function localCalls({
  calls,
  sessions,
  auth,
  turns,
  foreign,
  commandTimeoutMs,
}: LocalCallsOptions): CallLocally {
  const answer = async (call: LocalCall, gone: AbortSignal): Promise<LocalAnswer> => {
    const { token, name, params, session, timeout, idempotencyKey } = call;
    const caller = auth.localCaller(token);
    await turns.take(caller.account);
    if (call.isOperation) {
      if (!isOperation(name)) throw new RemoteError("unknown_method", `No operation ${name}.`);
      return { result: await calls.run(caller, name, params, { gone: () => gone }), hit: {} };
    }
    // Before anything else, as for a request.
    checkOwner(caller.principal, sessions.get(session ?? ""));
    const body = { method: name, params, target_client_id: call.client, source_shell_id: call.source };
    const headers = { "x-service-timeout": timeout, "idempotency-key": idempotencyKey };
    const { options } = readCommand(body, headers, commandTimeoutMs);
    const outcome = await calls.call(caller, name, params, { ...options, session, gone: () => gone });
    if ("error" in outcome) throw outcome.error;
    const { value, hit } = outcome;
    return {
      result: value ?? null,
      hit: { ...hit, ...(outcome.client === undefined ? {} : { client: outcome.client }) },
    };
  };
  return async (call, gone) => {
    const fleet = foreign();
    if (fleet !== undefined && (!auth.isKnown(call.token) || fleet.relayOf(call.session ?? "") !== undefined)) {
      return undefined;
    }
    // A copy, as a request would carry: the relay goes on to change the original.
    return JSON.parse(JSON.stringify(await answer(call, gone))) as LocalAnswer;
  };
}
