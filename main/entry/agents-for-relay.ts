import { join } from "node:path";
import type { HookAgent, ReadHook } from "../../core/protocol/agent-hooks.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { type SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { Shell } from "../../core/protocol/records.ts";
import type { ShellHost } from "../../core/protocol/shell-host.ts";
import type { TerminalSignal } from "../../core/protocol/terminal-signals.ts";
import {
  type TerminalSignal as AgentSignal,
  createAgents,
  type JoinedAgent,
  usageStore,
  type WatchedShell,
} from "../agents/agents.ts";
import type { KnownRuns } from "../agents/conversations.ts";
import { readAcpHook } from "../agents/hooks/acp-hooks.ts";
import { readClaudeHook } from "../agents/hooks/claude-hooks.ts";
import { readGeminiHook } from "../agents/hooks/gemini-hooks.ts";
import { readOpencodeHook } from "../agents/hooks/opencode-hooks.ts";
import { CodexQuestions } from "../agents/protocols/codex-questions.ts";
import { stopCodexTurn } from "../agents/protocols/codex-stop.ts";
import type { AgentsPort, FindAgents } from "../relay/session/ports.ts";
import type { Sessions } from "../relay/session/sessions.ts";
import type { StoreDatabase } from "../relay/store/open-store.ts";
import { AgentConnections, isConnected } from "../system/agent-connections.ts";
import type { Log } from "../system/log.ts";

export interface WatchedAgents extends Disposable {
  readonly port: AgentsPort;
  /** The agents in one shell, determined at each call. */
  readonly find: FindAgents;
  readonly readHook: ReadHook;
  /** Reads what programs report through the terminals of a session's shells, and replies to their queries. */
  watchTerminals(session: SessionId, host: ShellHost): void;
  /** The agent sessions that were seen in shells. */
  runs(): KnownRuns;
  start(): void;
}

interface Parts {
  readonly database: StoreDatabase;
  readonly log: Log;
  /** The user's own prices; need not exist. */
  readonly overridesFile: string;
  /** Data folder, which says what agents the user has connected. */
  readonly data: string;
  /** Called only after the start. */
  readonly sessions: () => Sessions;
}

const hookReaders: Readonly<Record<HookAgent, (event: unknown) => ReturnType<ReadHook>>> = {
  claude: readClaudeHook,
  gemini: readGeminiHook,
  opencode: readOpencodeHook,
  "claude-acp": readAcpHook,
  "codex-acp": readAcpHook,
  "gemini-acp": readAcpHook,
  "opencode-acp": readAcpHook,
  acp: readAcpHook,
};

/** The reply to a program that asks with OSC 7501 whether its terminal reads status reports. */
const STATUS_REPLY = "\x1b]7501;?1\x1b\\";

/** Watches the agents in all shells of the relay's sessions, and reports each to its session. */
export function watchAgents({ database, log, overridesFile, data, sessions }: Parts): WatchedAgents {
  const agents = createAgents({
    store: usageStore(database),
    overridesFile,
    priceListFile: join(data, "price-list.json"),
    manifestsFolder: join(data, "agents"),
    log: (message, fields) => log.warn(message, { ...fields }),
    shells: () =>
      sessions()
        .all()
        .flatMap(({ id, state }) => state.now.shells.flatMap((shell) => watched(id, shell))),
    screen: async ({ sessionId, shellId }) => {
      const screen = await sessions().find(sessionId)?.shells.host.screen({ shell: shellId, join: false });
      return screen?.text ?? "";
    },
    onChange({ type, session, agent }) {
      const state = sessions().find(session)?.state;
      state?.apply({ kind: "agents", agents: agents.list(session) });
      state?.emit({ type, data: agent });
      if (agent.agentType === CODEX) codex.update();
    },
  });
  const connections = new AgentConnections(data);
  const codex = new CodexQuestions({
    terminals: () => connectedTo(connections, log, agents.joined(CODEX)),
    report: async ({ session, shellId: shell }, key, report, signal) => {
      const event = { shell, agentType: CODEX, source: "protocol", key, report } as const;
      return (await sessions().find(session)?.questions.hook(event, signal)) ?? {};
    },
  });
  let checking: NodeJS.Timeout | undefined;
  return {
    runs: () => agents.conversations.runs,
    port: {
      ...agents,
      async stopTurn(session, agentSession) {
        const { agentType, home, sessionId } = agents.detached(session, agentSession);
        if (await stopCodexTurn(home, sessionId)) return { agentType, sessionId };
        const sentence = `Codex has not stopped the turn of ${sessionId}: it may have ended meanwhile. list-agent-sessions shows whether it goes on.`;
        throw new RemoteError("invalid_request", sentence);
      },
    },
    readHook: (agent, event) => hookReaders[agent](event),
    find: (sessionId, { id: shellId, pid }) => agents.inShell({ sessionId, shellId, pid }),
    watchTerminals(session, host) {
      host.onEvent((event) => {
        if (event.kind !== "signal") return;
        const { id, signal } = event;
        if (signal.kind === "program-status" && signal.query) host.write(id, STATUS_REPLY).catch(() => undefined);
        const known = agentSignal(signal);
        if (known !== undefined) agents.signal(session, ShellId.parse(id), known);
      });
    },
    start() {
      agents.start();
      checking = setInterval(() => codex.update(), CHECK_MS).unref();
    },
    [Symbol.dispose]() {
      clearInterval(checking);
      codex[Symbol.dispose]();
      agents[Symbol.dispose]();
    },
  };
}

const CODEX = "codex";
/** How often a protocol is tried where it is not spoken yet, and a change of the connections takes effect. */
const CHECK_MS = 1000;

/** The agents that the user has connected. What cannot be read connects none. */
function connectedTo(connections: AgentConnections, log: Log, agents: readonly JoinedAgent[]): ConnectedAgent[] {
  if (agents.length === 0) return [];
  try {
    const connection = connections.of(CODEX);
    const connected = agents.filter((agent) => agent.assumed !== true && isConnected(connection, agent));
    return connected.map((agent) => ({ ...agent, thread: agent.sessionId }));
  } catch (error) {
    log.debug("the connected agents could not be read", { file: connections.file, error: String(error) });
    return [];
  }
}

interface ConnectedAgent extends JoinedAgent {
  readonly thread: string;
}

function watched(sessionId: SessionId, { id: shellId, pid, cwd }: Shell): WatchedShell[] {
  return pid === null ? [] : [{ shellId, sessionId, pid, cwd }];
}

/** Converts the signals relevant to agents; the others are about commands and folders. */
function agentSignal(signal: TerminalSignal): AgentSignal | undefined {
  switch (signal.kind) {
    case "title":
    case "bell":
      return signal;
    case "prompt":
    case "command-start":
      return { kind: signal.kind };
    case "notification":
      return { kind: "notification", text: [signal.title, signal.body].filter(Boolean).join(": ") };
    case "program-status": {
      const payload = Object.entries(signal.fields).map(([key, value]) => `${key}=${value}`);
      return signal.query ? undefined : { kind: "program-status", payload: payload.join(":") };
    }
    default:
      return undefined;
  }
}
