import { CommandContext } from "../../../../core/commands/context.ts";
import { type MethodName, runMethod } from "../../../../core/commands/index.ts";
import { specs } from "../../../../core/commands/specs.ts";
import type { RemoteError } from "../../../../core/protocol/errors.ts";
import type { ClientId, CommandTarget, SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../../core/protocol/mirror.ts";
import { parseParams } from "../../../../core/protocol/parse-params.ts";
import type { Role, Shell } from "../../../../core/protocol/records.ts";
import { freshState } from "../../../../core/state/client-state.ts";
import { ClientStore } from "../../../../core/state/client-store.ts";
import type { Viewport } from "../../../../core/state/ports.ts";

type Question = [op: string, params: Record<string, unknown>];

/** A client without a relay: commands run on a real state, and what they ask of the relay is written down. */
export function loneClient({
  role = "admin",
  self = 1,
  viewport = { cols: 160, rows: 48 },
}: {
  role?: Role;
  self?: number;
  viewport?: Viewport;
} = {}) {
  const state = new ClientStore(freshState);
  const asked: Question[] = [];
  const shown: unknown[] = [];
  const mirror: SessionMirror = {
    session: { id: "session-1" as SessionId, name: "default", owner: "ann", createdAt: new Date(0).toISOString() },
    clients: [],
    shells: [],
    chat: [],
    tunnels: [],
    agents: [],
    adoptRequests: [],
    roleRequests: [],
    questions: [],
    restrictions: { restrictShells: false, requests: [], allowed: [] },
    plugins: [],
  };
  const lab = {
    state,
    asked,
    shown,
    mirror,
    hit: {} as CommandTarget,
    /** What the relay does with a question; default: it makes every shell that is asked for. */
    answer: undefined as ((op: string, params: Record<string, unknown>) => unknown) | undefined,
    addShell(more: Partial<Shell> = {}): Shell {
      const shell = shellOf(mirror.shells.length + 1, more);
      mirror.shells.push(shell);
      return shell;
    },
    /** Runs a command as the relay would send it. */
    async run(method: MethodName, params: object = {}, source?: number): Promise<unknown> {
      const context = new CommandContext({
        self: { id: self as ClientId, name: "ann", role },
        state: () => state,
        mirror: () => mirror,
        host: {
          kind: "desktop",
          device: "test",
          toast(toast) {
            shown.push(toast);
            return "toast";
          },
          notify(notification) {
            shown.push(notification);
            return "native";
          },
          viewport: () => viewport,
        },
        async request(op, given) {
          const question = { ...Object(given) } as Record<string, unknown>;
          asked.push([op, question]);
          return lab.answer?.(op, question) ?? { shell: lab.addShell({ cwd: String(question.cwd ?? "/home") }) };
        },
        source: source as ShellId | undefined,
      });
      lab.hit = context.hit;
      return runMethod(method, context, parseParams(specs[method].params, params));
    },
    /** The code with which a command is refused; fails when it is not. */
    async refusal(method: MethodName, params: object = {}, source?: number): Promise<string> {
      return lab.run(method, params, source).then(
        (value) => `not refused: ${JSON.stringify(value)}`,
        (error: RemoteError) => error.code,
      );
    },
  };
  return lab;
}

function shellOf(id: number, more: Partial<Shell>): Shell {
  return {
    id: id as ShellId,
    title: `bash ${id}`,
    cwd: "/home",
    command: "/bin/bash",
    pid: 1000 + id,
    cols: 80,
    rows: 24,
    running: true,
    exitCode: null,
    ownerClientId: null,
    owner: null,
    createdAt: new Date(0).toISOString(),
    ...more,
  };
}
