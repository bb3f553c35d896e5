import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandsDoc, errorsDoc, operationsDoc } from "../../cli/help/docs.ts";
import { settingsDoc } from "../../renderer/ui/settings-doc.ts";

test.each([
  ["commands.md", commandsDoc],
  ["operations.md", operationsDoc],
  ["errors.md", errorsDoc],
  ["settings.md", settingsDoc],
])("docs/%s says what the declarations say; `npm run docs` writes it", (file, text) => {
  expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8")).toBe(text());
});
