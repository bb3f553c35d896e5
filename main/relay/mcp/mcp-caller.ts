import { z } from "zod";
import type { OperationName } from "../../../core/operations/index.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import type { Outcome } from "../../../core/protocol/outcome.ts";

/** One request of a client, with its caller already known. */
export interface McpCaller {
  /** The session of a shell's token. */
  readonly session: SessionId | undefined;
  /** The user whose credential it has. */
  readonly user: string;
  /** Executes a procedure for the caller; `gone` is aborted when nobody waits for its result any more. */
  call(name: string, params: object, options: McpCallOptions): Promise<Outcome>;
  /** Resolves to whether secrets are hidden from the caller. */
  hidesSecrets(): Promise<boolean>;
  /** Resolves to whether the caller may call an operation of a session now. */
  may(name: OperationName, params: { readonly session: string }): Promise<boolean>;
}

interface McpCallOptions {
  readonly session?: string | undefined;
  readonly client?: number | "all" | undefined;
  readonly gone: AbortSignal;
}

/** Returns the ids of the sessions that a caller may name. */
export async function sessionsOf(caller: McpCaller, gone: AbortSignal): Promise<readonly string[]> {
  const outcome = await caller.call("listSessions", {}, { gone });
  return "error" in outcome ? [] : Sessions.parse(outcome.value).map(({ id }) => id);
}

const Sessions = z.array(z.object({ id: z.string() }));
