import type { ConversationMessage, ConversationPage } from "../../../core/protocol/conversations.ts";

const start = Date.now() - 15 * 60_000;
const asked = { role: "user", kind: "prompt" } as const;
const said = { role: "assistant", kind: "text" } as const;
const called = { role: "tool", kind: "tool", text: "" } as const;

const messages: readonly Pick<ConversationMessage, "role" | "kind" | "text" | "tool">[] = [
  { ...asked, text: "The total of order 8812 is off by a cent. Find out why, and write a test for it first." },
  { role: "assistant", kind: "thinking", text: "Sums of rounded lines against a rounded sum, most likely." },
  { ...said, text: "I look at how totals are rounded, then at the order itself." },
  {
    ...called,
    tool: {
      id: "1",
      name: "Bash",
      input: { command: "rg -n 'round\\(' src/orders" },
      result:
        "src/orders/totals.ts:41:  return round(line.net * rate);\nsrc/orders/totals.ts:57:  return round(sum);\n",
      exitCode: 0,
      durationMs: 84,
    },
  },
  {
    ...called,
    tool: {
      id: "2",
      name: "Bash",
      input: { command: "npx vitest run src/orders/totals.test.ts" },
      result: "FAIL  src/orders/totals.test.ts > rounds half to even\nAssertionError: expected 1999 to be 1998\n",
      isError: true,
      exitCode: 1,
      durationMs: 2310,
    },
  },
  { role: "system", kind: "question", text: "Do you want to make this edit to totals.ts?" },
  { role: "user", kind: "answer", text: "Yes (mara)" },
  {
    ...called,
    tool: { id: "3", name: "Edit", input: { file_path: "src/orders/totals.ts" }, result: "Updated", durationMs: 12 },
  },
  {
    ...said,
    text: "Lines were rounded half up, and the sum half to even. Both round half to even now:\n\n1. `roundHalfEven` stands once, in `money.ts`.\n2. The test of order 8812 passes.",
  },
  { ...asked, text: "Good. Run everything." },
  { ...called, tool: { id: "4", name: "Bash", input: { command: "npm test" } } },
];

/** The conversation of the agent in the first shell of a scene. */
export function conversationScene(agentType: string, sessionId: string): ConversationPage {
  return {
    ...{ agentType, sessionId, before: null, hasMore: false },
    messages: messages.map((message, index) => ({
      ...message,
      id: String(index),
      cursor: String(index),
      at: new Date(start + index * 40_000).toISOString(),
      turn: index < 9 ? 1 : 2,
    })),
    after: String(messages.length - 1),
  };
}
