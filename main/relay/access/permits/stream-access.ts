import type { Access } from "../../../../core/operations/operation.ts";

/** Access to the HTTP resources that are neither a command nor an operation. */
export const streamAccess = {
  events: "read",
  connectClient: "unrestricted",
  overviewChanges: "unrestricted",
  metrics: "unrestricted",
} as const satisfies Record<string, Access>;

export type StreamName = keyof typeof streamAccess;
