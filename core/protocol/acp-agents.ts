import { z } from "zod";
import { JsonValue } from "./json-value.ts";

/** A program that speaks the Agent Client Protocol over its standard streams. */
export interface AcpProgram {
  readonly name: string;
  /** The program and its arguments; of several the first one that is installed. */
  readonly commands: readonly (readonly string[])[];
  /** How it is installed. */
  readonly install: string;
}

/** The kinds of agents that `agents start --acp` knows a program for. */
export const acpPrograms = {
  claude: {
    name: "Claude Code's adapter",
    commands: [["claude-agent-acp"], ["claude-code-acp"]],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
  },
  codex: {
    name: "Codex's adapter",
    commands: [["codex-acp"]],
    install: "npm install -g @agentclientprotocol/codex-acp",
  },
  gemini: {
    name: "Gemini CLI",
    commands: [["gemini", "--experimental-acp"]],
    install: "npm install -g @google/gemini-cli",
  },
  opencode: { name: "opencode", commands: [["opencode", "acp"]], install: "npm install -g opencode-ai" },
} as const satisfies Record<string, AcpProgram>;

type AcpKind = keyof typeof acpPrograms;

export function isAcpKind(kind: string): kind is AcpKind {
  return Object.hasOwn(acpPrograms, kind);
}

/** The types of agents that are spoken to by the protocol: one for each kind, and `acp` for any other program. */
export const acpAgentTypes = ["claude-acp", "codex-acp", "gemini-acp", "opencode-acp", "acp"] as const;
export type AcpAgentType = (typeof acpAgentTypes)[number];

/** Returns the type of an agent by the word after `acp` on the command line. */
export function acpAgentType(kind: string | undefined): AcpAgentType {
  return kind !== undefined && isAcpKind(kind) ? `${kind}-acp` : "acp";
}

/** Lengths in UTF-16 code units: longer texts of an agent are cut. */
export const acpLimits = { text: 20_000, entries: 100, id: 200, depth: 8 } as const;
/** Up to these a tool call is reported whole, so that all of it can be shown; `bytes` is its length as JSON. */
export const acpWhole = { text: 500_000, entries: 10_000, id: 10_000, depth: 32, bytes: 700_000 } as const;

const Id = z.string().min(1).max(acpLimits.id);

/**
 * What `patchbay acp` reports to the relay about the questions of its agent. `session` is its own id of the agent session,
 * `call` numbers the requests for permission in it.
 */
export const AcpReport = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("permission"),
    session: Id,
    call: Id,
    cwd: z.string(),
    /** As the agent gave them (https://agentclientprotocol.com/protocol/tool-calls). */
    toolCall: JsonValue,
    /** The tool call is too long to be reported whole. */
    cut: z.boolean().optional(),
    options: JsonValue,
  }),
  /** An answer was given to the agent; `decision`, an option's id, once the agent has reacted to it. */
  z.object({ type: z.literal("settled"), session: Id, call: Id, decision: z.string().optional() }),
  z.object({ type: z.literal("ran"), session: Id, call: Id }),
  z.object({ type: z.literal("withdrawn"), session: Id, call: Id }),
  z.object({ type: z.literal("turn"), session: Id }),
  z.object({ type: z.literal("ended"), session: Id }),
]);
export type AcpReport = z.infer<typeof AcpReport>;
