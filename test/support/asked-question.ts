import { SessionId } from "../../core/protocol/ids.ts";
import { Question } from "../../core/protocol/questions.ts";

/** Returns a question of the agent in shell 1 for leave to run a command. */
export function questionOf(parts: Partial<Question> = {}): Question {
  return Question.parse({
    id: 1,
    session: "dev-session",
    shellId: 1,
    agentType: "claude",
    agentSessionId: "a",
    kind: "permission",
    title: "Bash: npm install",
    text: "",
    detail: { command: "npm install" },
    options: [
      { id: "yes", label: "Yes, this once", key: "1" },
      { id: "no", label: "No", key: "3" },
    ],
    acceptsText: true,
    risk: { level: "medium", reasons: ["uses the network"] },
    askedAt: "2026-01-01T00:00:00.000Z",
    state: "open",
    answerable: true,
    answeredBy: null,
    answer: null,
    closedAt: null,
    closedBecause: null,
    receipt: null,
    source: "hook",
    confidence: "high",
    rule: null,
    ...parts,
  });
}

/** A question of Claude Code's session `a-1`, in shell 1 of `session-1`. */
export const question = questionOf({
  id: 7,
  session: SessionId.parse("session-1"),
  agentSessionId: "a-1",
  title: "Run a command?",
  text: "It cleans up.",
  detail: { command: "rm -r out" },
  options: [
    { id: "yes", label: "Yes", key: "1" },
    { id: "no", label: "No", key: "2" },
  ],
  askedAt: "2026-11-24T10:00:00.000Z",
});
