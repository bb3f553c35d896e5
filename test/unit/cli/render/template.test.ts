import { expect, test } from "vitest";
import { formatByTemplate } from "../../../../cli/render/template.ts";

const shells = [
  { id: 1, title: "bash", label: "build", size: { cols: 80 }, tiles: [1, 2], exitCode: null },
  { id: 2, title: "two\nlines\u001b[31m", size: { cols: 40 }, tiles: [], exitCode: 0 },
];

test.each<[template: string, lines: string]>([
  ["{id}\\t{title}", "1\tbash\n2\ttwo\\nlines\\u001b[31m\n"],
  ["{label}", "build\n\n"],
  ["{size.cols}x{nosuch}", "80x\n40x\n"],
  ["{{{id}}}", "{1}\n{2}\n"],
  ["{tiles} {exitCode}", "[1,2] \n[] 0\n"],
  ["{constructor}{size.toString}", "\n\n"],
  ["a\\\\b\\nc", "a\\b\nc\na\\b\nc\n"],
])("%j", (template, lines) => expect(formatByTemplate(template, shells)).toBe(lines));

test("a record that is one list is that list; any other record is one line", () => {
  expect(formatByTemplate("{key}", { tiles: [{ key: 1 }, { key: 2 }] })).toBe("1\n2\n");
  expect(formatByTemplate("{key} {shellId}", { key: 3, shellId: 4 })).toBe("3 4\n");
  expect(formatByTemplate("{id}", [])).toBe("");
});

test.each(["{id", "id}", "{a-b}"])("a lone brace in %j is refused", (template) => {
  expect(() => formatByTemplate(template, shells)).toThrow(expect.objectContaining({ exitCode: 2 }));
});
