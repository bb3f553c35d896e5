// @module-tag slow
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

test("70 kB pasted into a shell that runs `sleep` leave every other shell alone, and are executed when it has ended", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId: other } = await lab.command<{ shellId: number }>("createShell", { tile: false }, id);
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  await page.locator(".tile[data-focused] .xterm").click();
  await page.keyboard.type("PS1='> '; echo ready-$((1+1)); sleep 6\n");
  await shows(page, "ready-2");
  const text = `${": seventy characters of a line that does nothing, and a bit more now\n".repeat(1030)}echo last-$((2+2))\n`;
  expect(text.length).toBeGreaterThan(70_000);
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector(".tile[data-focused] .xterm-helper-textarea")?.dispatchEvent(event);
  }, text);
  // Without bracketed paste, as while `sleep` runs, the page asks first.
  await page.getByRole("button", { name: "Paste" }).click();
  await until("the paste to wait", async () => {
    const { queued } = await lab.command<{ queued: number }>("writeToShell", { id: shellId, data: "", raw: true }, id);
    return queued > 40_000;
  });
  for (let count = 0; count < 5; count++) {
    const startedAt = performance.now();
    await lab.command("getShellOutput", { id: other, chunks: 1 }, id);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  }
  await until(
    "the last line",
    async () =>
      (await lab.command<{ output: string }>("getShellOutput", { id: shellId, plain: true }, id)).output.includes(
        "\nlast-4\n",
      ),
    60_000,
  );

  // A file is uploaded into the shell's folder after a question; its path is inserted and not run.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["dropped-$((1+2))"], "it's new.txt", { type: "text/plain" }));
    const terminal = document.querySelector(".tile[data-focused] .terminal");
    terminal?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  const dialog = page.getByRole("dialog", { name: "Upload 1 file?" });
  await dialog.getByText("16 bytes  it's new.txt").waitFor();
  await dialog.getByRole("button", { name: "Into the shell's folder" }).click();
  await shows(page, "new.txt'");
  await page.keyboard.press("Home");
  await page.keyboard.type("cat ");
  await page.keyboard.press("Enter");
  await shows(page, "dropped-$((1+2))");
});
