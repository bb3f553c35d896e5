import type { ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import {
  type GivenAnswer,
  isAnsweredOnScreen,
  OWN_WORDS,
  partsOf,
  type Question,
  type QuestionOption,
  questionLimits,
  shownDigest,
} from "../../../core/protocol/questions.ts";

type Form = Pick<ElicitRequestFormParams, "message" | "requestedSchema">;
type Field = Form["requestedSchema"]["properties"][string];

/** Returns a question as the form that a client shows to its person: all that the question shows, and what may be answered. */
export function formOf(question: Question): Form {
  const { agentType, shellId, title, kind, risk, options, choices, acceptsText } = question;
  const parts = partsOf(question).map(({ part, text }) => (part === "text" ? text : `${part}:\n${text}`));
  const reasons = risk.reasons.length === 0 ? "" : `: ${risk.reasons.join(", ")}`;
  const message = [`${agentType} in shell ${shellId} asks: ${title}`, ...parts, `Risk: ${risk.level}${reasons}`];
  const properties: Record<string, Field> = {};
  const required: string[] = [];
  for (const [place, choice] of (choices ?? []).entries()) {
    const name = fieldOf(place);
    properties[name] = choiceField(choice);
    required.push(name);
  }
  if (choices === undefined && options.length > 0) properties.option = optionField("Answer", options);
  if (choices === undefined && acceptsText) {
    const because = kind === "permission" ? "Refuse, and tell the agent why" : "Answer in words";
    properties.text = { type: "string", title: because, maxLength: questionLimits.answer };
  }
  // One of the two, where there are two: a form has no word for that.
  const [only, ...more] = Object.keys(properties);
  if (choices === undefined && only !== undefined && more.length === 0) required.push(only);
  return { message: message.join("\n\n"), requestedSchema: { type: "object", properties, required } };
}

/**
 * Returns the answer that a form was filled in with, for the question as it was shown and no other; undefined for a form
 * that was left empty.
 */
export function answerOf(question: Question, content: Readonly<Record<string, unknown>>): GivenAnswer | undefined {
  const shown = { ...shownDigest(question), confirmScreen: isAnsweredOnScreen(question) };
  if (question.choices !== undefined) {
    const answers = question.choices.map((choice, place) => {
      const said = textIn(content, fieldOf(place));
      if (choice.multiple) return said;
      return choice.options.some(({ id }) => id === said) ? said : OWN_WORDS + said;
    });
    return { ...shown, answers };
  }
  const text = textIn(content, "text");
  if (text !== "") return { ...shown, text };
  const option = textIn(content, "option");
  return option === "" ? undefined : { ...shown, option };
}

function choiceField({ question, options, multiple, acceptsText }: NonNullable<Question["choices"]>[number]): Field {
  if (!multiple && !acceptsText) return optionField(question, options);
  const ids = options.map(({ id, label }) => `${id}: ${label}`).join(", ");
  const several = multiple ? "one of these, or several joined by +" : "one of these, or an answer in words";
  return { type: "string", title: question, description: `${several}: ${ids}`, maxLength: questionLimits.answer };
}

function optionField(title: string, options: readonly QuestionOption[]): Field {
  return { type: "string", title, enum: options.map(({ id }) => id), enumNames: options.map(({ label }) => label) };
}

function fieldOf(place: number): string {
  return `answer${place + 1}`;
}

function textIn(content: Readonly<Record<string, unknown>>, name: string): string {
  const value = content[name];
  return typeof value === "string" ? value : "";
}
