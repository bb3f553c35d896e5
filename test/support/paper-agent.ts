import { type SessionId, ShellId } from "../../core/protocol/ids.ts";
import { qwenAdapter } from "../../main/agents/adapters/qwen.ts";
import { LiveAgent } from "../../main/agents/live-agent.ts";

/** An agent in a shell that is a record only: no process. */
export function paperAgent(session: SessionId, shell: number): LiveAgent {
  const process = {
    ...{ pid: shell, ppid: 1, pgrp: shell, comm: "node", tty: "1", startKey: "5", startedAt: 0, stopped: false },
    argv: () => ["qwen"],
    exe: () => "/usr/bin/node",
    exeSize: () => 1,
    cwd: () => "/work",
    env: (name: string) => (name === "HOME" ? "/home/u" : undefined),
    openFiles: () => [],
  };
  const found = {
    id: `p${shell}`,
    adapter: qwenAdapter(),
    process,
    launched: process,
    launchedAt: 0,
    recognition: "certain" as const,
  };
  const context = { quotas: { of: () => [] }, now: 0, startedBy: undefined };
  return new LiveAgent({ session, shellId: ShellId.parse(shell) }, found, context);
}
