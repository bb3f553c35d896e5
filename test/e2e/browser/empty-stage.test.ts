// @module-tag slow
import { expect, test } from "vitest";
import { startWebLab } from "./web-lab.ts";

test("an empty workspace offers what its user may do and has the keys for", async () => {
  await using lab = await startWebLab();
  const writer = await lab.guest();
  const stage = writer.page.locator(".empty-stage");
  await stage.getByText("Start a shell.", { exact: true }).waitFor();
  expect(await stage.locator("dt").allInnerTexts()).toContain("New shell");

  const reader = await lab.guest({ role: "reader" });
  const theirs = reader.page.locator(".empty-stage");
  await theirs.getByText("You can watch in this session. Nothing runs in it yet.").waitFor();
  expect(await theirs.locator("dt").allInnerTexts()).not.toContain("New shell");
  expect(await theirs.getByRole("button", { name: "New shell" }).count()).toBe(0);

  await lab.command("createShell", { command: "echo up" }, writer.id);
  await theirs.getByRole("button", { name: "Show 1 running shell" }).waitFor();

  const phone = await lab.guest({ touch: true, width: 390, height: 700 });
  await phone.page.locator(".empty-stage h2").waitFor();
  expect(await phone.page.locator(".empty-stage dl").isVisible()).toBe(false);
});
