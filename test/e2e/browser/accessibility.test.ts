import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "vitest";
import { type Guest, shows, startWebLab, type WebLab } from "./web-lab.ts";

test.each([{ dark: true }, { dark: false }])("axe finds nothing to object to, dark: $dark", async ({ dark }) => {
  await using lab = await startWebLab();
  const guest = await lab.guest({ dark });
  const { page, id } = guest;
  expect(await violations(guest)).toEqual([]);

  await fill(lab, guest);
  expect(await violations(guest)).toEqual([]);

  await page.locator(".chat-button").click();
  await lab.command("sendChat", { message: "hello" }, id);
  await page.getByText("hello", { exact: true }).waitFor();
  await lab.command("toast", { message: "Deployed to staging", kind: "success" }, id);
  expect(await violations(guest)).toEqual([]);

  await page.keyboard.press("Control+Shift+P");
  await page.getByRole("dialog").waitFor();
  expect(await violations(guest)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Comma");
  await page.getByRole("dialog", { name: "Terminal settings" }).waitFor();
  expect(await violations(guest)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Arrange the tiles" }).click();
  expect(await violations(guest)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Menu of the session/ }).click();
  await page.getByRole("button", { name: "Keyboard shortcuts…" }).click();
  expect(await violations(guest)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("every shell on show");
  await page.keyboard.press("Enter");
  await page.getByText("Typing into every shell on show").waitFor();
  expect(await violations(guest)).toEqual([]);
});

/** Tiles of a kind each, two of them tabs of one place. */
async function fill(lab: WebLab, { page, id }: Guest): Promise<void> {
  await lab.command("setup", { grid: "2x1", tiles: "shell+shell,shell" }, id);
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  await lab.command("writeToShell", { id: shellId, data: "echo filled-$((1+1))\n" }, id);
  await shows(page, "filled-2");
}

/** What axe objects to on the page, but for the text of programs: its colours are theirs. */
async function violations({ page }: Guest): Promise<unknown[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .exclude(".xterm-screen")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, any }) => [html, any[0]?.message]) }));
}
