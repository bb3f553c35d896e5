// @module-tag slow
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { startWebLab } from "./web-lab.ts";

test("a shortcut is given other keys, which last; the list says whose they were, and goes into a file and back", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const count = async () => (await lab.command<unknown[]>("getShells", {}, id)).length;
  const open = async () => {
    await page.getByRole("button", { name: /^Menu of the session/ }).click();
    await page.getByRole("button", { name: "Keyboard shortcuts…" }).click();
    return page.getByRole("dialog", { name: "Keyboard shortcuts" });
  };
  const dialog = await open();
  await dialog.getByRole("button", { name: /^New shell: / }).click();
  // A plain letter is text.
  await page.keyboard.press("j");
  await dialog.getByText("Needs Ctrl").waitFor();
  await page.keyboard.press("Alt+Shift+C");
  await dialog.getByText("Show or hide the chat” had these keys").waitFor();
  await dialog.getByRole("button", { name: "New shell: Alt ⇧ C" }).waitFor();
  expect(await count()).toBe(0);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save as a file" }).click();
  expect(JSON.parse(await readFile(await (await download).path(), "utf8"))).toEqual({ createShell: "Alt+Shift+C" });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.locator(".empty-stage").getByText("Alt ⇧ C").waitFor();
  await page.keyboard.press("Alt+Shift+C");
  await until("a new shell", async () => (await count()) === 1);
  expect(await page.getByRole("textbox", { name: "Message" }).count()).toBe(0);

  const again = await open();
  await again
    .getByLabel("File with shortcuts")
    .setInputFiles({ name: "keys.json", mimeType: "application/json", buffer: Buffer.from('{"chat":"Ctrl+Shift+J"}') });
  await again.getByText("Read 1 shortcut.").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+J");
  await page.getByRole("textbox", { name: "Message" }).waitFor();
});
