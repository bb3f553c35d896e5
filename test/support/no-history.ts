import type { HistoryControl } from "../../main/relay/session/ports.ts";

/** A history that records nothing and refuses what is asked of it. */
export function noHistory(user: string): HistoryControl {
  const refuse = async (): Promise<never> => {
    throw new Error("Nothing is recorded.");
  };
  return {
    user,
    settings() {
      throw new Error("Nothing is recorded.");
    },
    recording: () => "unasked",
    ...{ status: refuse, start: refuse, stop: refuse, setPattern: refuse, redactions: refuse, recordSession: refuse },
    ...{ trim: refuse, forget: refuse, settle: refuse, commands: refuse, command: refuse, lastCommands: refuse },
    ...{ lastOutput: refuse, read: refuse, search: refuse, searchConversations: refuse, export: refuse },
    timeline: refuse,
  };
}
