import { acpAgentType, acpAgentTypes } from "../../../core/protocol/acp-agents.ts";
import { AcpRun, acpFolder, acpRecordFile, acpRecordsFolder, acpRunFile } from "../../system/acp-record.ts";
import { AcpParser } from "./acp-records.ts";
import type { AgentAdapter } from "./adapter.ts";
import { ESCAPE, fileFacts, isRuntime, list, readJson, storedIn } from "./adapter-files.ts";
import { promptInput } from "./prompt-input.ts";

/** The clocks of a process's start, and of its own report of it. */
const SLACK_MS = 5000;

/**
 * Agents that `patchbay acp` speaks with. Its process stands for the agent that it starts, and its own record for the
 * transcript: so each program that speaks the protocol is known, and a prompt in the record is one that the agent took.
 */
export function acpAdapters(): readonly AgentAdapter[] {
  return acpAgentTypes.map((kind) => ({
    kind,
    wraps: true,
    apps: [kind],
    provider: "",
    interruptKeys: ESCAPE,
    input: promptInput({ settleMs: 100, marker: /^❯(?:\s|$)/, pasted: /\[Pasted text, \d+ characters\]/ }),
    // Its own file says for certain that it is one.
    recognise(process) {
      const kindOf = acpWords(process.argv());
      return kindOf !== undefined && acpAgentType(kindOf[0]) === kind && isOwnProgram(process.exe())
        ? "likely"
        : undefined;
    },
    home: acpFolder,
    join({ process, launchedAt, cwd }) {
      const home = acpFolder((name) => process.env(name));
      const run = home === undefined ? undefined : readJson(acpRunFile(home, process.pid), AcpRun);
      if (home === undefined || run === undefined || Math.abs(run.startedAt - launchedAt) > SLACK_MS) return undefined;
      return { sessionId: run.sessionId, home, cwd };
    },
    startModel: () => undefined,
    sessionsOf: () => [],
    files(home, session) {
      const path = acpRecordFile(home, session);
      return { main: fileFacts(path) === undefined ? undefined : path, subagents: [] };
    },
    stored: (home, session) => storedIn(acpRecordFile(home, session)),
    omits: "The protocol tells nothing of what sub-agents say, and not every exit code.",
    relatedSessions: async () => [],
    sessions: (home) => list(acpRecordsFolder(home)).map((name) => name.replace(/\.jsonl$/, "")),
    parser: (_session, purpose) => new AcpParser(purpose),
    titleStatus: () => undefined,
  }));
}

/** The words after `acp`, where the arguments are those of our own command line. */
function acpWords(argv: readonly string[]): readonly string[] | undefined {
  const at = argv.indexOf("acp");
  return at > 0 && /(^|[\\/])main\.js$|^--$|^--cli$/.test(argv[at - 1] ?? "") ? argv.slice(at + 1) : undefined;
}

/** Node with the command line's script, or the app itself with `--cli`. */
function isOwnProgram(exe: string): boolean {
  return isRuntime(exe) || /[\\/]patchbay(\.exe)?$/i.test(exe);
}
