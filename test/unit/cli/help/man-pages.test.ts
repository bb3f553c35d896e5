import { expect, test } from "vitest";
import { systemCompletions } from "../../../../cli/completion/scripts.ts";
import { manPages } from "../../../../cli/help/man-pages.ts";
import { allCommands } from "../../../../cli/parse/command-table.ts";
import { builtInWords } from "../../../../cli/parse/words.ts";

const pages = manPages("2026-11-21");
const escaped = (text: string) => text.replaceAll("-", "\\-");

test("the pages name every word of the program and every command of func", () => {
  const program = pages["patchbay.1"] ?? "";
  for (const word of Object.keys(builtInWords)) expect(program).toContain(`.TP\n\\fB${escaped(word)}\\fR\n`);
  const func = pages["service-func.1"] ?? "";
  for (const { name } of allCommands()) expect(func).toContain(`.SS "${escaped(name)}"\n`);
});

test("a page starts with its title and no text is taken for a request", () => {
  for (const page of Object.values(pages)) {
    expect(page).toMatch(/^\.\\".*\n\.TH \S+ 1 2026-11-21 /);
    const requests = page.split("\n").filter((line) => line.startsWith("."));
    expect(requests.filter((line) => !/^\.(\\"|TH|SH|SS|TP|PP|RS|RE|EX|EE|br)( |$)/.test(line))).toEqual([]);
    expect(page.split("\n").filter((line) => line.startsWith("'"))).toEqual([]);
  }
});

test("zsh finds the completion by the program's name, and it completes when it is first loaded", () => {
  const { zsh } = systemCompletions();
  expect(zsh.startsWith("#compdef patchbay\n")).toBe(true);
  expect(zsh.endsWith('_patchbay "$@"\n')).toBe(true);
});
