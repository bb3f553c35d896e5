/// <reference lib="dom" />
/**
 * States of the session view that the documentation does not show, for a look at every picture (`--widths`).
 *
 * @typedef {import("playwright-core").Page} Page
 * @typedef {(client: number, method: string, params?: object) => Promise<any>} Command
 * @typedef {(page: Page, state: string) => Promise<void>} Picture
 */

const NAMES = [
  "Auftragsabwicklungsdienstleistungsgesellschaft",
  "注文の合計を端数処理する",
  "a name that is much longer than any tab or title bar of a tile could ever have room for",
  "Ü",
];

/**
 * Draws menus, lists and dialogs over the tiles of a page.
 * @param {{ page: Page, client: number, command: Command, picture: Picture }} place
 */
export async function drawOverlays({ page, client, command, picture }) {
  await page.keyboard.press("Alt+Shift+F");
  await page.getByRole("dialog").waitFor();
  await picture(page, "places");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+Shift+U");
  await page.getByLabel("Columns × rows").waitFor();
  await picture(page, "form");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+Shift+I");
  await page.getByRole("dialog").waitFor();
  await picture(page, "shells");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Menu of the session/ }).click();
  await picture(page, "menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /here$/ }).click();
  await picture(page, "people");
  await page.keyboard.press("Escape");
  await page.locator(".tile[data-focused] .xterm").click();
  await page.getByRole("button", { name: "Arrange the tiles" }).click();
  await picture(page, "arrange");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+P");
  await page.keyboard.type("every shell on show");
  await page.keyboard.press("Enter");
  await picture(page, "into-all");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: /^Menu of the session/ }).click();
  await page.getByRole("button", { name: "Keyboard shortcuts…" }).click();
  await picture(page, "shortcuts");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+,");
  await page.getByRole("dialog").waitFor();
  await picture(page, "settings");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+Shift+L");
  await page.locator(".tile-name").waitFor();
  await picture(page, "rename");
  await page.keyboard.press("Escape");
  const { shellId } = await command(client, "createShell", { command: "exit 3" });
  await page.getByText("exit code 3").first().waitFor();
  await picture(page, "ended");
  await command(client, "closeShell", { id: shellId });
  await command(client, "toast", { message: "The build of main has failed: 3 tests of orders/total.", kind: "error" });
  await page.locator(".toast").first().waitFor();
  await picture(page, "toasts");
  for (const dismiss of await page.locator(".toast").getByRole("button", { name: "Dismiss" }).all())
    await dismiss.click();
}

/**
 * Draws long names, forty tiles, lists of more than fifty shells, and many workspaces; leaves the page in an empty one.
 * @param {{ page: Page, client: number, command: Command, picture: Picture }} place
 */
export async function drawExtremes({ page, client, command, picture }) {
  for (const [index, name] of NAMES.entries()) {
    await command(client, "createWorkspace", { name });
    const { key } = await command(client, "createShell");
    await command(client, "renameTile", { key, name: NAMES[(index + 1) % NAMES.length] });
    await command(client, "createShell");
  }
  await picture(page, "names");
  await command(client, "createWorkspace", { name: "forty" });
  await command(client, "setup", { grid: "8x5" });
  await picture(page, "forty");
  await page.keyboard.press("Alt+Shift+I");
  await page.getByRole("dialog").waitFor();
  await picture(page, "many-shells");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+Shift+F");
  await page.getByRole("dialog").waitFor();
  await picture(page, "many-places");
  await page.keyboard.press("Escape");
  await command(client, "createWorkspace", { name: "last" });
}

/** Draws what a guest who can watch sees first, and with a shell. @param {Page} page @param {Picture} picture */
export async function drawReader(page, picture) {
  await page.locator(".empty-stage").waitFor();
  await picture(page, "reader-empty");
  await page.keyboard.press("Alt+Shift+I");
  await page
    .getByRole("button", { name: /^Watch / })
    .first()
    .click();
  await page.keyboard.press("Escape");
  await page.locator(".xterm").waitFor();
  await picture(page, "reader");
}
