import { z } from "zod";
import { ClientId, SessionId, ShellId } from "./ids.ts";
import { Timestamp } from "./records.ts";

/** What an agent asks for: leave to use a tool, one of several choices, free text, approval of a plan, a login. */
export const QuestionKind = z.enum(["permission", "choice", "text", "plan", "login"]);
export type QuestionKind = z.infer<typeof QuestionKind>;

/**
 * How the question became known, strongest first: by a hook of the agent, by a protocol that the relay speaks with it,
 * from its transcript, from its screen. `governor`: the relay asks itself, because a budget is spent.
 */
const QuestionSource = z.enum(["hook", "protocol", "transcript", "screen", "governor"]);

/** Lengths in UTF-16 code units; longer texts are cut. */
export const questionLimits = {
  title: 200,
  text: 32_000,
  command: 16_000,
  diff: 64_000,
  input: 64_000,
  files: 50,
  path: 1000,
  options: 20,
  choices: 10,
  label: 200,
  answer: 4000,
  screen: 8000,
} as const;

/** Stands for the kind of agent where a program asks that is none. */
export const ASKING_PROGRAM = "program";

/** Names what a caller was shown, in an answer. */
const QuestionDigest = z.string().min(1).max(100);

export const QuestionOption = z.object({
  id: z.string().min(1).max(64).describe("the value for `answerQuestion`"),
  label: z.string(),
  key: z
    .string()
    .describe(
      "a single key for the option, unique in the question; empty for an option without one, as for each lasting permission",
    ),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** One of several questions that are asked at once, or a question that takes several options. */
export const QuestionChoice = z.object({
  question: z.string(),
  options: z.array(QuestionOption.extend({ description: z.string() })),
  multiple: z.boolean().describe("several of the options may be chosen"),
  acceptsText: z.boolean().describe("it may be answered in words"),
});
export type QuestionChoice = z.infer<typeof QuestionChoice>;

/** What the agent wants to do: all that it told, in parts. A part that is cut ends with a line that says how much is left. */
export const QuestionDetail = z.object({
  command: z.string().optional(),
  diff: z.string().optional(),
  files: z.array(z.string()).optional(),
  input: z.string().optional().describe("what no other part shows of the tool's input, as JSON"),
  screen: z
    .string()
    .optional()
    .describe("the end of the terminal's screen, into which the answer is typed; empty while its dialog is not there"),
});
export type QuestionDetail = z.infer<typeof QuestionDetail>;

/** An estimate from the command's words, no protection: `reasons` says what it is based on. */
export const QuestionRisk = z.object({
  level: z.enum(["low", "medium", "high"]),
  reasons: z.array(z.string()).describe("such as: deletes files, uses the network, outside the folder, uses sudo"),
});
export type QuestionRisk = z.infer<typeof QuestionRisk>;

/**
 * Who answered: a user through Patchbay, a user at the agent's own prompt in the terminal, or a policy in the name of the
 * session's owner.
 */
export const QuestionAnswerer = z.object({
  kind: z.enum(["user", "terminal", "policy"]),
  name: z.string(),
  policy: z.int().optional().describe("id of the policy"),
  client: ClientId.nullable().describe(
    "the client that the answer came through; null for a key, the panel and a terminal",
  ),
});
export type QuestionAnswerer = z.infer<typeof QuestionAnswerer>;

/**
 * The answer given. `option` and `text` are null where `answers` has one for each of the question's `choices`, and where the
 * terminal answered and which option is not known.
 */
export const QuestionAnswer = z.object({
  option: z.string().nullable(),
  text: z.string().nullable(),
  answers: z.array(z.object({ options: z.array(z.string()), text: z.string().nullable() })).optional(),
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** What stands before an own answer in words, so that it is not taken for an option. */
export const OWN_WORDS = "=";

/** An answer as a caller gives it. */
export const GivenAnswer = z.object({
  option: z
    .string()
    .min(1)
    .max(questionLimits.label)
    .optional()
    .describe("id, key or label of an option, or its digit: its place in the list"),
  text: z.string().min(1).max(questionLimits.answer).optional().describe("an answer in words"),
  answers: z
    .array(z.string().min(1).max(questionLimits.answer))
    .min(1)
    .max(questionLimits.choices)
    .optional()
    .describe(
      "for each of the question's `choices` an option by its id, or several joined by `+` where it takes several; or a text, after `=` where it could be taken for an option",
    ),
  confirmScreen: z.boolean().default(false).describe("you have looked at the screen, from which the question was read"),
  digest: QuestionDigest.optional().describe(
    "digest of the question as you were shown it; refused with `question_changed` where it asks something else. Without it, the answer is for what the question asks when it arrives",
  ),
});
export type GivenAnswer = z.input<typeof GivenAnswer>;

/**
 * Whether the agent's own record shows that it took the answer. `pending`: not yet. `unconfirmed`: not in time.
 * `overruled`: the record shows another decision, for example because the terminal's answer was faster. `abandoned`: the
 * agent ended first.
 */
export const QuestionReceipt = z.object({
  state: z.enum(["pending", "confirmed", "unconfirmed", "overruled", "abandoned"]),
  evidence: z.string(),
  at: Timestamp,
});
export type QuestionReceipt = z.infer<typeof QuestionReceipt>;

/** A question of an agent in a shell (docs/questions.md). */
export const Question = z
  .object({
    id: z.int(),
    session: SessionId,
    shellId: ShellId,
    agentType: z.string(),
    agentSessionId: z.string().describe("the agent's own session; empty where it is not known"),
    kind: QuestionKind,
    title: z.string().describe("one line"),
    text: z.string(),
    detail: QuestionDetail,
    options: z.array(QuestionOption).describe("empty where the options are not known, and where there are `choices`"),
    choices: z
      .array(QuestionChoice)
      .optional()
      .describe("questions that are answered together, by `answers`; absent where one option or one text is an answer"),
    acceptsText: z.boolean().describe("an answer in words is possible: for a permission, a refusal that tells why"),
    risk: QuestionRisk,
    askedAt: Timestamp,
    state: z.enum(["open", "answered", "withdrawn", "expired"]),
    answerable: z.boolean().describe("an answer can reach the agent now; otherwise answer in its terminal"),
    answeredBy: QuestionAnswerer.nullable(),
    answer: QuestionAnswer.nullable(),
    closedAt: Timestamp.nullable(),
    closedBecause: z.string().nullable().describe("why a question was withdrawn or expired"),
    receipt: QuestionReceipt.nullable().describe("proof that the agent took an answer given through Patchbay"),
    source: QuestionSource,
    confidence: z.enum(["high", "medium", "low"]),
    digest: z
      .string()
      .nullable()
      .default(null)
      .describe(
        "names all that the question shows and that its answer lets happen: an answer that carries it counts for nothing else; null from a relay that gives none",
      ),
    rule: z
      .string()
      .nullable()
      .describe("id of the rule that noticed it, for the sources transcript, screen and governor"),
  })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;

export type QuestionPart = "text" | keyof QuestionDetail;

/**
 * Returns all that a question shows beside its title, in the order in which it is read. The person who answers sees each part
 * whole, or how much of it is left out and how to open it.
 */
export function partsOf({ title, text, detail }: Pick<Question, "title" | "text" | "detail">): readonly {
  readonly part: QuestionPart;
  readonly text: string;
}[] {
  const { command, files, diff, input, screen } = detail;
  const all: readonly { readonly part: QuestionPart; readonly text: string | undefined }[] = [
    { part: "text", text: text === title ? undefined : text },
    { part: "command", text: command },
    { part: "files", text: files?.join("\n") },
    { part: "diff", text: diff },
    { part: "input", text: input },
    { part: "screen", text: screen?.trimEnd() },
  ];
  return all.flatMap(({ part, text: shown }) => (shown === undefined || shown === "" ? [] : [{ part, text: shown }]));
}

/** Returns whether the text of a question begins with its title, which is then the text in one line, cut short. */
export function textRepeatsTitle({ title, text }: Pick<Question, "title" | "text">): boolean {
  return text.replace(/\s+/g, " ").startsWith(title.replace(/…$/, ""));
}

/** Returns what an answer carries of the question that its caller was shown; nothing for a relay that gives no digests. */
export function shownDigest({ digest }: Partial<Pick<Question, "digest">>): { readonly digest?: string } {
  return digest === undefined || digest === null ? {} : { digest };
}

/** Returns an answer as a person reads it, by the labels of its options; undefined where it is not known. */
export function answerText({ options, choices, answer }: Pick<Question, "options" | "choices" | "answer">) {
  if (answer?.answers !== undefined) {
    const texts = answer.answers.map(
      (one, place) => one.text ?? labelsOf(choices?.[place]?.options ?? [], one.options),
    );
    return texts.join("; ");
  }
  const label = answer?.option == null ? [] : [labelsOf(options, [answer.option])];
  const said = [...label, answer?.text ?? ""].filter((part) => part !== "").join(": ");
  return said === "" ? undefined : said;
}

function labelsOf(options: readonly QuestionOption[], ids: readonly string[]): string {
  return ids.map((id) => options.find((option) => option.id === id)?.label ?? id).join(", ");
}

/**
 * Returns the digits that choose the options, in their order: those that the agent's own list has, else the positions 1 to
 * 9. "" where an option has none. They are the same in every client.
 */
export function optionDigits(options: readonly Pick<QuestionOption, "key">[]): readonly string[] {
  const isNumbered = options.every(({ key }) => key.length === 1 && "0123456789".includes(key));
  return options.map(({ key }, index) => (isNumbered ? key : index < 9 ? String(index + 1) : ""));
}

/** Whether an answer is typed into the dialog on the screen: the caller has to have looked at it. */
export function isAnsweredOnScreen({ detail }: Pick<Question, "detail">): boolean {
  return detail.screen !== undefined;
}

/** How long a client is still shown an answer of which all is known. */
export const SETTLED_SHOWN_MS = 10_000;

/** Returns what names a question among those of all sessions. */
export function questionKey({ session, id }: { readonly session: string; readonly id: number }): string {
  return `${session}/${id}`;
}

/** Whether a question waits for the user. One that is answered never does, whatever is known of its answer. */
export function isOpen({ state }: Pick<Question, "state">): boolean {
  return state === "open";
}

/** Whether a question still needs a person: it is open, or its answer was not confirmed. */
export function needsAttention({ state, receipt }: Pick<Question, "state" | "receipt">): boolean {
  return (
    state === "open" || (state === "answered" && (receipt?.state === "pending" || receipt?.state === "unconfirmed"))
  );
}
