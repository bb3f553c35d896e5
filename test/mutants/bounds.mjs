import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const masks = ["test/unit/main/system/mask-secrets.test.ts"];
const entries = ["test/unit/main/relay/audit/audit-fields.test.ts"];
const watch = ["test/unit/main/system/event-loop-watch.test.ts"];

export default [
  ...mutantsOf("main/system/mask-secrets.ts", [
    {
      guard: "a credential that the cut divides is hidden",
      find: "const masked = maskCredentials(start + COMPLETION);",
      replace: "const masked = maskCredentials(start);",
      tests: masks,
    },
    {
      guard: "the pattern of addresses begins at one place of each address",
      find: "const ADDRESSES = /:\\/\\/(",
      replace: "const ADDRESSES = /(?:\\b[a-z][a-z0-9+.-]*)?:\\/\\/(",
      tests: masks,
    },
  ]),
  ...mutantsOf("main/agents/transcript-reader.ts", [
    {
      guard: "a record of too many values is not parsed",
      find: "if (isDenseJson(bytes, start, end, this.#mostValues)) {",
      replace: "if (isDenseJson(bytes, start, end, Number.POSITIVE_INFINITY)) {",
      tests: ["test/unit/main/agents/adapters/all.bad-input.test.ts"],
    },
    {
      guard: "half a record is not parsed with each byte that it grows",
      find: "if (!endsWithBrace(bytes, start, end)) return;",
      replace: "",
      tests: ["test/unit/main/agents/adapters/all.bad-input.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/line-reader.ts", [
    {
      guard: "what is read again as a whole has the file's allowance",
      find: "if (restMs > 0) await this.#pause(restMs);",
      replace: "",
      tests: ["test/unit/main/agents/line-reader.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/database-reader.ts", [
    {
      guard: "a record of too many values in a database is not parsed",
      find: "const isDense = isDenseJson(bytes, 0, bytes.length);",
      replace: "const isDense = false;",
      tests: ["test/unit/main/agents/database-reader.test.ts"],
    },
    {
      guard: "what an agent's database holds ends no relay",
      find: "CAST(record AS BLOB) AS record",
      replace: "record",
      tests: ["test/unit/main/agents/database-reader.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/store/guard-texts.ts", [
    {
      guard: "a text in the relay's database that is damaged is an error, and is not replaced",
      find: "{ fatal: true, ignoreBOM: true }",
      replace: "{ ignoreBOM: true }",
      tests: ["test/unit/main/relay/store/guard-texts.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/store/check-rows.ts", [
    {
      guard: "the texts of a database are read before it is used",
      find: "for (const name of checked) checkTexts(database, name);",
      replace: "",
      tests: ["test/unit/main/relay/store/open-store.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/audit/audit-fields.ts", [
    {
      guard: "the title in a policy's entry is masked before it is cut",
      find: "title: maskedStart(title, LONGEST_TEXT)",
      replace: "title: maskedStart(title.slice(0, LONGEST_TEXT), LONGEST_TEXT)",
      tests: entries,
    },
  ]),
  ...mutantsOf("main/shells/follow-output.ts", [
    {
      guard: "a line end does not begin inside a run of returns",
      find: "/(?<!\\r)\\r+\\n/g",
      replace: "/\\r+\\n/g",
      tests: ["test/unit/main/shells/follow-output.test.ts", "test/unit/patterns.test.ts"],
    },
  ]),
  ...mutantsOf("main/system/event-loop-watch-program.ts", [
    {
      guard: "a turn of more than a second is a stall",
      find: "else if (age < limitMs) look(limitMs - age);",
      replace: "else if (age < limitMs * 1000) look(limitMs);",
      tests: watch,
    },
  ]),
];
