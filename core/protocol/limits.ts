/** The limits of docs/decisions/0012. */
export const limits = {
  bodyBytes: 1024 * 1024,
  frameBytes: 1024 * 1024,
  chatMessageBytes: 8 * 1024,
  tileNameLength: 200,
  shellsPerSession: 256,
  clientsPerSession: 64,
  events: 10_000,
  /** Payloads of plugin events that are kept for those who come back; large ones make it fewer events. */
  eventBytes: 32 * 1024 * 1024,
  chatMessages: 1_000,
  workspaces: 100,
  /** What one plugin may keep with the relay: this many values, each as JSON of at most this many UTF-16 units. */
  pluginValues: 100,
  pluginValueLength: 16 * 1024,
} as const;

/** How long a client that vanished may come back with its resume token and keep its id, layout and shells. */
export const RESUME_WINDOW_MS = 120_000;

/** Default timeout of a command (docs/decisions/0002). */
export const COMMAND_TIMEOUT_MS = 10_000;
export const LONGEST_COMMAND_TIMEOUT_MS = 60_000;

/** Default timeout of `run --wait` and `wait-for` (docs/decisions/0007). */
export const WAIT_TIMEOUT_MS = 60_000;
export const LONGEST_WAIT_TIMEOUT_MS = 3_600_000;

/** A request to adopt a shell that its owner does not answer lapses after this. */
export const ADOPT_TIMEOUT_MS = 60_000;
