// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { AgentText, textBlocks } from "../../../../../renderer/session/search/agent-text.ts";

test("code, tables and headings are blocks of their own, and what is between them is text", () => {
  const text = "Done:\n\n```ts\nconst a = 1;\n\n```\n## What changed\n\n- one\n- two\n\n| a | b |\n| - | - |\nEnd";
  expect(textBlocks(text)).toEqual([
    { kind: "text", text: "Done:" },
    { kind: "code", text: "const a = 1;\n" },
    { kind: "heading", text: "What changed" },
    { kind: "text", text: "- one\n- two" },
    { kind: "code", text: "| a | b |\n| - | - |" },
    { kind: "text", text: "End" },
  ]);
});

test("a fence ends at one of its own kind that is as long, or at the end of what is written so far", () => {
  expect(textBlocks("````md\n```\ninner\n```\n````\nafter")).toEqual([
    { kind: "code", text: "```\ninner\n```" },
    { kind: "text", text: "after" },
  ]);
  expect(textBlocks("~~~\n```\nopen")).toEqual([{ kind: "code", text: "```\nopen" }]);
  expect(textBlocks("```inline``` is none")).toEqual([{ kind: "text", text: "```inline``` is none" }]);
});

test.each([
  ["Use `rg -n` here", "Use <code>rg -n</code> here"],
  ["**Note:** it ran", "<strong>Note:</strong> it ran"],
  ["**`a.ts`**: new", "<strong><code>a.ts</code></strong>: new"],
  ["src/**/*.ts and test/**/*.ts", "src/**/*.ts and test/**/*.ts"],
  ["`src/**/*.ts` and `**`", "<code>src/**/*.ts</code> and <code>**</code>"],
  ["a ` alone, 2 ** 3 ** 4", "a ` alone, 2 ** 3 ** 4"],
  ["<img src=x onerror=alert(1)> [x](javascript:1)", "&lt;img src=x onerror=alert(1)&gt; [x](javascript:1)"],
])("in %j only code and bold words are marked", (text, html) => {
  const { container } = render(<AgentText text={text} />);
  expect(container.querySelector("p")?.innerHTML).toBe(html);
});

test("lines stay lines", () => {
  const { container } = render(<AgentText text={"one\ntwo\n\nthree"} />);
  expect(container.textContent).toBe("one\ntwo\n\nthree");
});
