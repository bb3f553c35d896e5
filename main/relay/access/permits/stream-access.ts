import type { Access } from "../../../../core/operations/operation.ts";

/** What HTTP offers that is neither a command nor an operation, with the callers that it is open to. */
export const streamAccess = {
  events: "read",
  connectClient: "unrestricted",
  metrics: "unrestricted",
} as const satisfies Record<string, Access>;

export type StreamName = keyof typeof streamAccess;
