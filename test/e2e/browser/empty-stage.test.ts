// @module-tag slow
import { expect, test } from "vitest";
import { startWebLab } from "./web-lab.ts";

test("an empty workspace offers what its user may do and has the keys for", async () => {
  await using lab = await startWebLab();
  const writer = await lab.guest();
  const stage = writer.page.locator(".empty-stage");
  // Once: the button, with its keys.
  await stage.getByRole("button", { name: "New shell", exact: true }).waitFor();
  expect(await stage.getByText("New shell").count()).toBe(1);

  const reader = await lab.guest({ role: "reader" });
  const theirs = reader.page.locator(".empty-stage");
  await theirs.getByText("You can watch in this session. Nothing runs in it yet.").waitFor();
  expect(await theirs.getByText("New shell").count()).toBe(0);

  await lab.command("createShell", { command: "echo up" }, writer.id);
  await theirs.getByRole("button", { name: "Show 1 running shell" }).waitFor();

  const phone = await lab.guest({ touch: true, width: 390, height: 700 });
  await phone.page.locator(".empty-stage h2").waitFor();
  expect(await phone.page.locator(".empty-stage dl").isVisible()).toBe(false);
});
