import { expect, test } from "vitest";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { otherEventEntry } from "../../../../../main/relay/audit/question-entries.ts";

test.each([
  ["and the question that it asks instead", 8, { agent: "claude", question: 7, asked: 8 }],
  ["and no other question where it may ask none", null, { agent: "claude", question: 7 }],
])(
  "the entry of an event with the key of another question names its shell, that question, %s",
  (_what, asked, params) => {
    const event = { session: "s" as SessionId, shell: 3 as ShellId, agentType: "claude", question: 7, asked };
    expect(otherEventEntry(event)).toEqual({
      who: "shell 3",
      credential: "shell",
      from: "relay",
      session: "s",
      action: "reportAgentHook",
      params,
      outcome: "question_changed",
      client: null,
      durationMs: null,
    });
    expect(otherEventEntry(event).params).toStrictEqual(params);
  },
);
