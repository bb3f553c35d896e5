// @module-tag slow
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

interface ShellEntry {
  readonly id: number;
  readonly process?: string | null;
}

test("the title bar names the running program; closing asks only then and names it", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  const runs = (wanted: string | null) =>
    until(`${wanted} in the foreground`, async () => {
      const shells = await lab.command<ShellEntry[]>("getShells", {}, id);
      return shells.find((shell) => shell.id === shellId)?.process === wanted;
    });
  const bar = page.locator(".title-bar .title");
  await runs(null);
  await lab.command("writeToShell", { id: shellId, data: "sleep 600\n" }, id);
  await runs("sleep");
  await until("its name in the title bar", async () => (await bar.textContent()) === "sleep 600");

  await page.getByRole("button", { name: "Close tile" }).click();
  const question = page.getByRole("dialog");
  await question.getByText(/^This shell runs sleep\./).waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await page.locator(".tile:visible").count()).toBe(1);

  await lab.command("writeToShell", { id: shellId, data: "\u0003echo idle-$((1+1))\n" }, id);
  await shows(page, "idle-2");
  await runs(null);
  await until("its name to go", async () => (await bar.textContent()) !== "sleep 600");
  await page.getByRole("button", { name: "Close tile" }).click();
  await page.getByText(/stays in the list of shells/).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await page.locator(".tile:visible").count()).toBe(0);
  expect(await lab.command<ShellEntry[]>("getShells", {}, id)).toHaveLength(1);
});
