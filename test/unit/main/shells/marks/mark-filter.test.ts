import fc from "fast-check";
import { expect, test } from "vitest";
import { MarkFilter } from "../../../../../main/shells/marks/mark-filter.ts";
import { chunked } from "../terminal-bytes.ts";

const OURS = "\u001b]7133;own\u0007";

/** Output and marks in their order; marks whose payload is `own` count. */
function filtered(chunks: readonly Buffer[]): { readonly parts: string[]; readonly output: string } {
  const parts: string[] = [];
  const filter = new MarkFilter({
    output: (bytes) => parts.push(`o${bytes.toString("latin1")}`),
    mark: (payload) => {
      if (payload === "own") parts.push("m");
      return payload === "own";
    },
  });
  for (const chunk of chunks) filter.push(chunk);
  filter.flush();
  const output = parts.filter((part) => part.startsWith("o")).map((part) => part.slice(1));
  return { parts, output: output.join("") };
}

test("takes marks out at their place and leaves all else as it is", () => {
  const { parts } = filtered([Buffer.from(`a${OURS}b\u001b]7133;other\u0007c${OURS}${OURS}`)]);
  expect(parts).toEqual(["oa", "m", "ob", "o\u001b]7133;other\u0007", "oc", "m", "m"]);
});

test("any output comes through unchanged, however it is cut", () => {
  const pieces = fc.array(
    fc.oneof(
      chunked,
      fc.constantFrom("\u001b]7133;", "\u001b]71", "\u001b]7133;1;2:3;D\u0018").map((text) => [Buffer.from(text)]),
    ),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const chunks = parts.flat();
      expect(filtered(chunks).output).toBe(Buffer.concat(chunks).toString("latin1"));
    }),
    { numRuns: 2000 },
  );
});

test("marks are found however they are cut, and nothing of them comes through", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("text", OURS, "\u001b", "\u001b]", "\u001b]0;t\u0007", "\u001b]7133;"), {
        maxLength: 12,
      }),
      fc.nat(40),
      (words, size) => {
        const all = Buffer.from(words.join(""));
        const chunks = Array.from({ length: Math.ceil(all.length / (size + 1)) }, (_, index) =>
          all.subarray(index * (size + 1), (index + 1) * (size + 1)),
        );
        const [cut, whole] = [filtered(chunks), filtered([all])];
        expect(cut.parts.filter((part) => part === "m")).toHaveLength(words.filter((word) => word === OURS).length);
        expect(cut.output).toBe(whole.output);
        expect(cut.output).toBe(words.filter((word) => word !== OURS).join(""));
      },
    ),
    { numRuns: 2000 },
  );
});

test("holds back nothing that can be seen, and no more than a mark may be long", () => {
  let seen = "";
  const output = (bytes: Buffer) => {
    seen += bytes.toString("latin1");
  };
  const filter = new MarkFilter({ output, mark: () => false });
  const after = (text: string) => {
    filter.push(Buffer.from(text, "latin1"));
    return seen;
  };
  expect(after("prompt$ ")).toBe("prompt$ ");
  expect(after("\u001b")).toBe("prompt$ ");
  expect(after("[31m")).toBe("prompt$ \u001b[31m");
  expect(after("\u001b]7133;ab\n")).toBe("prompt$ \u001b[31m\u001b]7133;ab\n");
  after(`\u001b]7133;${"x".repeat(20_000)}`);
  expect(seen.endsWith("x")).toBe(true);
});
