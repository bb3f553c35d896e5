/** The limits of docs/decisions/0012. */
export const limits = {
  bodyBytes: 1024 * 1024,
  frameBytes: 1024 * 1024,
  chatMessageBytes: 8 * 1024,
  tileNameLength: 200,
  shellsPerSession: 256,
  clientsPerSession: 64,
  /** Clients of one guest: connected tabs, and those that may still come back. */
  clientsPerGuest: 8,
  /** Layout that the relay keeps for each client of a guest, as JSON in UTF-16 code units. */
  guestStateLength: 256 * 1024,
  events: 10_000,
  /** Total size of the events kept for reconnecting subscribers, in characters; large ones reduce the number kept. */
  eventBytes: 32 * 1024 * 1024,
  chatMessages: 1_000,
  /** Records of a kind that a client keeps of a session, whatever its relay sends: several times what a session holds. */
  mirrorRecords: 4_096,
  workspaces: 100,
  /** Storage of one plugin: number of values, and length of each as JSON in UTF-16 code units. */
  pluginValues: 100,
  pluginValueLength: 16 * 1024,
} as const;

/** How long a disconnected client can resume with its token and keep its id, layout and shells. */
export const RESUME_WINDOW_MS = 120_000;

/** Default timeout of a command (docs/decisions/0002). */
export const COMMAND_TIMEOUT_MS = 10_000;
export const MAX_COMMAND_TIMEOUT_MS = 60_000;

/** Default timeout of `run --wait` and `wait-for` (docs/decisions/0007). */
export const WAIT_TIMEOUT_MS = 60_000;
export const MAX_WAIT_TIMEOUT_MS = 3_600_000;

/** An unanswered request to adopt a shell expires after this time. */
export const ADOPT_TIMEOUT_MS = 60_000;

/** An unanswered request for another role expires after this time. */
export const ROLE_REQUEST_TIMEOUT_MS = 10 * 60_000;
/** How long after a request for another role the same person may ask again, and how long after a refusal. */
export const ROLE_REQUEST_PAUSE_MS = 60_000;
export const ROLE_REFUSED_PAUSE_MS = 5 * 60_000;
