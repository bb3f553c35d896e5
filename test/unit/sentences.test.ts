import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
/** The code and the sentence, where both are written in place. */
const ERROR = /new RemoteError\(\s*"[a-z_]+",\s*(`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")/g;
/** A path of a field, a capital or what is put in; at the end a full stop, a list, or what is put in. */
const SENTENCE = /^(?:[A-Z$]|[a-z]+(?:\.[^:]+)?: |Idempotency-Key|Last-Event-ID).*(?:[.?!]|\})(?:\\n.*)?$/s;

test("every refusal is a sentence: a capital or the path of a field first, a full stop last", () => {
  const wrong = ["core", "main"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => {
        const source = readFileSync(path.join(root, folder, file), "utf8");
        return (
          [...source.matchAll(ERROR)]
            .map(([, text = ""]) => text.slice(1, -1))
            // A template in a template ends the match too soon.
            .filter((text) => text.split("${").length <= text.split("}").length && !SENTENCE.test(text))
            .map((text) => `${folder}/${file}: ${text}`)
        );
      }),
  );
  expect(wrong).toEqual([]);
});
