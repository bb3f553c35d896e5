import { join } from "node:path";
import Database from "libsql";
import type { ShellHost } from "../../core/protocol/shell-host.ts";
import type { Undo } from "../../core/undo.ts";
import { agentMigrations } from "../../main/agents/agents.ts";
import { watchAgents } from "../../main/entry/agents-for-relay.ts";
import { createShellHost } from "../../main/shells/shell-host.ts";
import { startTestRelay, type TestRelay } from "./test-relay.ts";

interface WatchingRelayOptions {
  /** Home folder of the shells, where agents keep their transcripts. */
  readonly home: string;
  readonly undo: Undo;
  /** More of the shells' environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the shell host of each session. */
  readonly onHost?: (host: ShellHost) => void;
}

/** A relay with real shells, which finds the agents that run in them and reads their transcripts. */
export async function startWatchingRelay({ home, undo, env, onHost }: WatchingRelayOptions): Promise<TestRelay> {
  const database = new Database(join(home, "agents.db"));
  undo.add(() => database.close());
  for (const sql of agentMigrations) database.exec(sql);
  const quiet = () => undefined;
  const watched = watchAgents({
    database,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    overridesFile: join(home, "prices.json"),
    data: home,
    sessions: () => relay.relay.sessions,
  });
  undo.add(() => watched[Symbol.dispose]());
  const environment = { PATH: process.env.PATH, HOME: home, SHELL: "/bin/bash", LANG: "C.UTF-8", ...env };
  const relay = await startTestRelay({
    agents: watched.port,
    findAgents: watched.find,
    readHook: watched.readHook,
    shellHostFor(session) {
      const host = createShellHost({ integrationFolder: join(home, "integration"), environment });
      watched.watchTerminals(session, host);
      onHost?.(host);
      return host;
    },
  });
  watched.start();
  return relay;
}
