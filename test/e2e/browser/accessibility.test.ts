import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { hooksOfShell } from "../../support/agent-questions.ts";
import { axeOn } from "../../support/axe.ts";
import { type Guest, shows, startWebLab, type WebLab } from "./web-lab.ts";

const folder = mkdtempSync(join(tmpdir(), "patchbay-axe-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// `npm test` looks in one theme.
for (const dark of [true, false]) {
  test(`axe finds nothing to object to, dark: ${dark}`, { tags: dark ? [] : ["slow"] }, async () => {
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
    await page.keyboard.press("Control+Shift+F");
    await page.getByText("Output and commands are not recorded yet").waitFor();
    await page.keyboard.type("hello");
    await page.getByRole("option", { name: /hello/ }).waitFor();
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

  test(`axe finds nothing to object to in questions, lists and menus, on a phone too, dark: ${dark}`, {
    tags: "slow",
  }, async () => {
    await using lab = await startWebLab({ own: true });
    const { browser, invite } = lab;
    const { page: door } = await browser({ dark });
    await door.goto(await invite());
    await door.getByLabel("Your name").waitFor();
    expect(await violations({ page: door })).toEqual([]);

    const guest = await lab.guest({ dark, role: "admin", width: 390, height: 844, touch: true });
    const { page, id } = guest;
    const { url, session } = lab.relay();
    const createShell = (command: string) => lab.command("createShell", { command }, id);
    const hooks = await hooksOfShell({ url, session }, { file: join(folder, `token-${dark}`), createShell });
    void hooks.ask(`rm -rf ${"build/".repeat(60)}`);
    await page.getByRole("button", { name: "Show the whole command" }).tap();
    expect(await violations(guest)).toEqual([]);
    await page.getByRole("button", { name: /^Menu of the session/ }).tap();
    expect(await violations(guest)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /show the list/ }).tap();
    expect(await violations(guest)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".title-bar").click({ button: "right", position: { x: 10, y: 10 } });
    await page.getByRole("menu").waitFor();
    expect(await violations(guest)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.emulateMedia({ contrast: "more" });
    expect(await violations(guest)).toEqual([]);
    await lab.kill();
    await page.locator(".cut-notice").waitFor();
    expect(await violations(guest)).toEqual([]);
  });
}

/** Tiles of a kind each, two of them tabs of one place. */
async function fill(lab: WebLab, { page, id }: Guest): Promise<void> {
  await lab.command("setup", { grid: "2x1", tiles: "shell+shell,shell" }, id);
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  await lab.command("writeToShell", { id: shellId, data: "echo filled-$((1+1))\n" }, id);
  await shows(page, "filled-2");
}

/** What axe objects to on the page, but for the text of programs: its colours are theirs. */
async function violations({ page }: Pick<Guest, "page">): Promise<unknown[]> {
  const { violations: found } = await axeOn(page)
    .exclude(".xterm-screen")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, any }) => [html, any[0]?.message]) }));
}
