import type { RemoteClient } from "../../client/remote-client.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { optionDigits, partsOf, Question, type QuestionOption, shownDigest } from "../../core/protocol/questions.ts";
import type { Globals } from "../parse/global-options.ts";
import { escapeControlsInLines } from "../render/cell.ts";
import { type Io, styleOf } from "../render/io.ts";

interface Shown {
  readonly io: Io;
  readonly globals: Globals;
  readonly client: RemoteClient;
}

/**
 * Reads the question that an answer is for, shows it whole on a terminal, and returns the answer with the digest of what was
 * read. An answer that has a digest is for what its caller was shown before, and stays as it is; so does one with a key that
 * may only answer, and one to a question that is not listed, which the relay refuses.
 */
export async function withShownQuestion(
  { io, globals, client }: Shown,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  if (given.digest !== undefined) return given;
  const listed = await client.askOperation("getQuestions", {}).catch((error: unknown) => {
    if (error instanceof RemoteError && error.code === "scope_forbids") return [];
    throw error;
  });
  const question = Question.array()
    .safeParse(listed)
    .data?.find(({ id }) => id === given.id);
  if (question === undefined) return given;
  const { json, isTTY } = styleOf(io, globals.json === true);
  if (isTTY && !json) io.stderr.write(describe(question));
  return { ...given, ...shownDigest(question) };
}

function describe(question: Question): string {
  const { id, agentType, shellId, title, risk, options, choices = [] } = question;
  const lines = [
    `Question ${id} of ${agentType} in shell ${shellId}: ${title}`,
    ...partsOf(question).map(({ text }) => text),
    `Risk: ${[risk.level, risk.reasons.join(", ")].filter(Boolean).join(", ")}`,
    ...describeOptions(options),
    ...choices.flatMap((choice) => [choice.question, ...describeOptions(choice.options)]),
  ];
  return `${escapeControlsInLines(lines.join("\n"))}\n`;
}

/** Returns a line for each option, with the digit that chooses it; with its id where it has none. */
function describeOptions(options: readonly QuestionOption[]): string[] {
  const digits = optionDigits(options);
  return options.map(({ id, label }, place) => `  ${digits[place] || id}. ${label}`);
}
