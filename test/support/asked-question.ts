import { SessionId, ShellId } from "../../core/protocol/ids.ts";
import type { Question } from "../../core/protocol/questions.ts";

/** A question that is open: of Claude Code's session `a-1`, in shell 1 of `session-1`. */
export const question: Question = {
  id: 7,
  session: SessionId.parse("session-1"),
  shellId: ShellId.parse(1),
  agentType: "claude",
  agentSessionId: "a-1",
  kind: "permission",
  title: "Run a command?",
  text: "It cleans up.",
  detail: { command: "rm -r out" },
  options: [
    { id: "yes", label: "Yes", key: "1" },
    { id: "no", label: "No", key: "2" },
  ],
  acceptsText: true,
  risk: { level: "low", reasons: [] },
  askedAt: "2026-11-24T10:00:00.000Z",
  state: "open",
  answerable: true,
  answeredBy: null,
  answer: null,
  closedAt: null,
  closedBecause: null,
  receipt: null,
  source: "hook",
  confidence: "high",
  digest: null,
  rule: null,
};
