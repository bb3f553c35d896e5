import { expect, test } from "vitest";
import { checkComposition, LINE_PRINTER } from "../../support/input-method.ts";
import { startWebLab } from "./web-lab.ts";

test("text of an input method reaches its shell once and whole, no other shell, and stays within its tile", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ width: 900, height: 600 });
  const make = async () => (await lab.command<{ shellId: number }>("createShell", { exec: LINE_PRINTER }, id)).shellId;
  const shells = [await make(), await make()] as const;
  const linesOf = async (shell: number) => {
    const { output } = await lab.command<{ output: string }>("getShellOutput", { id: shell }, id);
    return output.trimEnd().split("\r\n");
  };
  await page.locator(".terminal-tile .xterm").nth(1).click();
  await checkComposition(page, () => linesOf(shells[1]));
  expect(await linesOf(shells[0])).toEqual(["ready"]);
});
