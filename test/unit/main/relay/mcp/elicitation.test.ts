import { describe, expect, test } from "vitest";
import { Question } from "../../../../../core/protocol/questions.ts";
import { answerOf, formOf } from "../../../../../main/relay/mcp/elicitation.ts";

const question = (more: object = {}): Question =>
  Question.parse({
    ...{ id: 1, session: "abcdefgh", shellId: 3, agentType: "claude", agentSessionId: "", kind: "permission" },
    ...{
      title: "Run it?",
      text: "Run it?",
      detail: { command: "make" },
      acceptsText: false,
      askedAt: "2026-11-26T00:00:00Z",
    },
    options: [
      { id: "allow", label: "Yes", key: "y" },
      { id: "deny", label: "No", key: "n" },
    ],
    ...{ risk: { level: "low", reasons: [] }, state: "open", answerable: true, answeredBy: null, answer: null },
    ...{
      closedAt: null,
      closedBecause: null,
      receipt: null,
      source: "hook",
      confidence: "high",
      digest: "d1",
      rule: null,
    },
    ...more,
  });

describe("a question as a form", () => {
  test("shows all that it asks for, and its options by their labels", () => {
    const { message, requestedSchema } = formOf(question({ risk: { level: "high", reasons: ["uses sudo"] } }));
    expect(message).toBe("claude in shell 3 asks: Run it?\n\ncommand:\nmake\n\nRisk: high: uses sudo");
    expect(requestedSchema).toEqual({
      type: "object",
      properties: { option: { type: "string", title: "Answer", enum: ["allow", "deny"], enumNames: ["Yes", "No"] } },
      required: ["option"],
    });
  });

  test("takes words beside the options, and then needs neither", () => {
    const { properties, required } = formOf(question({ acceptsText: true })).requestedSchema;
    expect([Object.keys(properties), required]).toEqual([["option", "text"], []]);
    expect(answerOf(question({ acceptsText: true }), { option: "allow", text: "use make test" })).toEqual({
      text: "use make test",
      digest: "d1",
      confirmScreen: false,
    });
  });

  test("is answered for what it showed, and not by an empty form", () => {
    expect(answerOf(question(), { option: "deny" })).toEqual({ option: "deny", digest: "d1", confirmScreen: false });
    expect(answerOf(question({ detail: { screen: "1. Yes" } }), { option: "allow" })).toMatchObject({
      confirmScreen: true,
    });
    expect(answerOf(question(), { option: 7 })).toBeUndefined();
  });

  test("has a field for each of several questions; own words are not taken for an option", () => {
    const options = [
      { id: "1", label: "Red", key: "1", description: "" },
      { id: "2", label: "Blue", key: "2", description: "" },
    ];
    const several = question({
      options: [],
      choices: [
        { question: "Colour?", options, multiple: false, acceptsText: false },
        { question: "Parts?", options, multiple: true, acceptsText: false },
        { question: "Name?", options, multiple: false, acceptsText: true },
      ],
    });
    const { properties, required } = formOf(several).requestedSchema;
    expect(required).toEqual(["answer1", "answer2", "answer3"]);
    expect(properties.answer1).toMatchObject({ title: "Colour?", enum: ["1", "2"] });
    expect(properties.answer2).toMatchObject({ description: "one of these, or several joined by +: 1: Red, 2: Blue" });
    expect(answerOf(several, { answer1: "2", answer2: "1+2", answer3: "3" })?.answers).toEqual(["2", "1+2", "=3"]);
  });
});
