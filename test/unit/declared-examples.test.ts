import { describe, expect, test } from "vitest";
import { operationIn, operationParser } from "../../cli/commands/operation.ts";
import { builtInParsers } from "../../cli/completion/model.ts";
import { allOperations } from "../../cli/parse/operation-table.ts";
import { parseWith } from "../../cli/parse/parse-command.ts";
import { shellWords } from "../../cli/parse/shell-words.ts";
import { isBuiltInWord, operationsOf } from "../../cli/parse/words.ts";
import { specs } from "../../core/commands/specs.ts";
import { operationNames, operations } from "../../core/operations/index.ts";
import type { OperationSpec } from "../../core/operations/operation.ts";
import { parseParams } from "../../core/protocol/parse-params.ts";
import { runCli } from "./cli/run-cli.ts";

const methods: readonly string[] = [...Object.keys(specs), ...operationNames];

/** Splits an example as a shell would, without its redirections and what comes after a pipe. */
function wordsOf(example: string): { word: string; words: string[] } {
  const [word = "", ...words] = shellWords(example.replace(/ [<>|].*$/, ""), example);
  return { word, words };
}

/** Returns the parameters that the command line makes of an example, checked by the operation's declaration. */
function readOperation(example: string): Readonly<Record<string, unknown>> {
  const { word, words } = wordsOf(example);
  const command = operationParser(word, "service");
  parseWith(command, words);
  const { row, params } = operationIn(command, word);
  const spec: OperationSpec = operations[row.name];
  return parseParams(spec.params, { ...(row.inSession ? { session: "default" } : {}), ...params });
}

describe("every example of an operation is understood, by the parser and by the declaration", () => {
  const examples = allOperations().flatMap(({ cli }) => cli?.examples ?? []);

  test.each(examples)("%s", (example) => {
    const { webhook } = readOperation(example);
    // Webhooks are found by the whole id.
    if (webhook !== undefined) expect(webhook).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe("every example of a built-in word is understood", () => {
  const parsers = Object.entries(builtInParsers()).filter(([, parser]) => parser !== undefined);
  const topics = [...parsers.map(([word]) => [word]), ...["connect", "start", "prices"].map((one) => ["agents", one])];

  test.each(topics.map((words) => ({ words, title: words.join(" ") })))("$title", async ({ words: topic }) => {
    const { out } = await runCli([...topic, "--help"]);
    const [, lines = ""] = out.split("\nExamples:\n");
    const examples = lines.split("\n").flatMap((line) => line.split("  patchbay ")[1] ?? []);
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      const { word, words } = wordsOf(example);
      const isOperation = operationsOf(word).some(({ cli: { action = "" } }) => words.includes(action));
      const parser = isBuiltInWord(word) && !isOperation ? builtInParsers()[word] : undefined;
      if (parser === undefined) {
        readOperation(example);
        continue;
      }
      expect(() => parseWith(parser, words), example).not.toThrow();
      const { text } = parser.opts<{ text?: string }>();
      // Entries of the audit log have the name of the method.
      if (word === "audit" && text !== undefined) expect(methods).toContain(text);
    }
  });
});
