import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AgentLab, type LabShell, until } from "./agent-lab.ts";

export const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
export const standIn = join(import.meta.dirname, "stand-in.mjs");
export const expected = JSON.parse(readFileSync(join(fixtures, "EXPECTED.json"), "utf8")).sessions;

export interface Actor {
  readonly kind: "claude" | "codex" | "gemini";
  readonly sessionId: string;
  readonly transcript: string;
}

export const actors: readonly Actor[] = [
  {
    kind: "claude",
    sessionId: "11111111-1111-4111-8111-111111111111",
    transcript: "claude/.claude/projects/-home-dev-proj-a/11111111-1111-4111-8111-111111111111.jsonl",
  },
  {
    kind: "codex",
    sessionId: "01a1fc09-3354-7e42-8c65-f6df7ca02110",
    transcript:
      "codex/.codex/sessions/2026/11/21/rollout-2026-11-21T02-57-03-01a1fc09-3354-7e42-8c65-f6df7ca02110.jsonl",
  },
  {
    kind: "gemini",
    sessionId: "5bb6df6d-3901-420d-8bf7-1d4f05e68443",
    transcript: "gemini/.gemini/tmp/gem-proj/chats/session-2026-11-21T02-57-5bb6df6d.jsonl",
  },
];

interface Role {
  /** How the stand-in behaves; as its kind without this. */
  readonly as?: string;
  /** Further words of its command line. */
  readonly words?: string;
}

/** Starts a process that looks like the agent to the system: Node under its name, or Node with its script. */
export async function start(
  lab: AgentLab,
  { kind, transcript }: Pick<Actor, "kind" | "transcript">,
  shell: LabShell,
  { as = kind, words = "" }: Role = {},
): Promise<void> {
  const before = shell.output().length;
  shell.run(commandOf(lab, { kind, transcript }, { as, words }));
  await until(`${kind} to start`, () => shell.output().slice(before).includes("stand-in ready"));
}

/** The command that starts such a process. */
export function commandOf(
  lab: AgentLab,
  { kind, transcript }: Pick<Actor, "kind" | "transcript">,
  { as = kind, words = "" }: Role = {},
): string {
  const program =
    kind === "gemini"
      ? link(standIn, join(lab.folder("lib", "@google", "gemini-cli"), "gemini.mjs"))
      : link(process.execPath, join(lab.folder("bin"), kind));
  const command = kind === "gemini" ? `${process.execPath} ${program}` : `${program} ${standIn}`;
  return `${command} ${as} ${join(fixtures, transcript)} ${words}`;
}

/** Ends the stand-in and waits for the shell's prompt. */
export async function quit(shell: LabShell): Promise<void> {
  const before = shell.output().length;
  shell.run("quit");
  await until("the prompt", () => shell.output().slice(before).includes("ready> "));
}

export function link(target: string, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return path;
}
