import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandsDoc, errorsDoc, operationsDoc } from "../../cli/help/docs.ts";
import { settingsDoc } from "../../renderer/ui/settings-doc.ts";

test.each([
  ["commands.md", commandsDoc],
  ["operations.md", operationsDoc],
  ["errors.md", errorsDoc],
  ["settings.md", settingsDoc],
])("docs/reference/%s says what the declarations say; `npm run docs` writes it", (file, text) => {
  expect(readFileSync(new URL(`../../docs/reference/${file}`, import.meta.url), "utf8")).toBe(text());
});

test("the guides of docs/ are few, and the README leads to every page", () => {
  const docs = new URL("../../docs/", import.meta.url);
  const pages = (folder: string) => readdirSync(new URL(folder, docs)).filter((name) => name.endsWith(".md"));
  const contributors =
    /^(architecture|benchmarks|conformance|dependencies|electron-security|reliability|specification)\.md$/;
  const guides = pages(".").filter((name) => !contributors.test(name));
  expect(guides.length).toBeLessThanOrEqual(12);
  const readme = readFileSync(new URL("../README.md", docs), "utf8");
  const linked = [...guides, ...pages("reference").map((name) => `reference/${name}`)];
  expect(linked.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});
