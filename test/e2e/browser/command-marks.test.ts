import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab, textOf } from "./web-lab.ts";

test("commands are marked by how they ended, also after a reload; they are jumped to, and their output is copied", async () => {
  await using lab = await startWebLab();
  const { page, context, id } = await lab.guest();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { key } = await lab.command<{ key: number }>("createShell", {}, id);
  const run = (command: string) => lab.command("runCommand", { tile: key, wait: true, command }, id);
  await run("PS1='> '");
  await run("seq -f 'line %g' 1 60");
  await run("(sleep 0.2; exit 3)");
  await run("printf 'last\\n'");
  const failed = page.locator('.command-mark[data-state="failed"]');
  const marked = async () => {
    await failed.waitFor();
    expect(await failed.getAttribute("title")).toMatch(/^exit code 3 · \d+\.\d s$/);
    await page.locator(".command-note", { hasText: "exit code 3" }).waitFor();
    await page.locator('.command-mark[data-state="good"]').last().waitFor();
  };
  await marked();
  await page.reload();
  await shows(page, "last");
  await marked();

  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.locator(".xterm").click();
  await page.keyboard.press("Control+Shift+O");
  await page.getByText("Copied the command's output: 1 line.").waitFor();
  expect(await clipboard()).toBe("last");
  for (let jumps = 0; jumps < 3; jumps++) await page.keyboard.press("Control+Shift+Z");
  await until("the start of the long output", async () => {
    const rows = await textOf(page);
    return rows.includes("line 1\n") && !rows.includes("line 60");
  });
  await page.locator(".xterm-screen").click({ button: "right", position: { x: 200, y: 100 } });
  await page.getByRole("menuitem", { name: "Copy the command's output" }).click();
  await page.getByText("Copied the command's output: 60 lines.").waitFor();
  expect((await clipboard()).split("\n")).toEqual(Array.from({ length: 60 }, (_, index) => `line ${index + 1}`));
  for (let jumps = 0; jumps < 3; jumps++) await page.keyboard.press("Control+Shift+X");
  await shows(page, "last");
});

test("a long command that ends in another workspace is reported, and the message leads there", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await page.evaluate(() => localStorage.setItem("patchbay.finished-after", "1"));
  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  const { key, shellId } = await lab.command<{ key: number; shellId: number }>("createShell", {}, id);
  await lab.command("runCommand", { tile: key, wait: true, command: "PS1='> '; echo ready-$((1+1))" }, id);
  await shows(page, "ready-2");
  await lab.command("createWorkspace", { name: "other" }, id);
  // It ends when the test says so.
  await lab.command("writeToShell", { id: shellId, data: "(read line; exit $line)\n" }, id);
  const process = async () =>
    (await lab.command<{ id: number; process: string | null }[]>("getShells", {}, id)).find((one) => one.id === shellId)
      ?.process;
  await until("the command to run", async () => typeof (await process()) === "string");
  const started = Date.now();
  await until("more than a second", async () => Date.now() - started > 1200);
  await lab.command("writeToShell", { id: shellId, data: "3\n" }, id);
  await page.getByText(/“.+” failed with exit code 3 after \d\.\d s in “.+”\./).waitFor();
  await page.getByRole("button", { name: "Go to" }).click();
  await page.locator(`.tile[data-tile="${key}"][data-focused]`).waitFor({ state: "visible" });
});

test("a program's progress is on its tile, and its notification leads to it from another workspace", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { key, shellId } = await lab.command<{ key: number; shellId: number }>("createShell", {}, id);
  const script = [
    "printf '\\033]9;4;1;40\\a'; read line",
    "printf '\\033]9;4;2;40\\a'; read line",
    "printf '\\033]777;notify;Build;12 passed\\a'; read line",
  ].join("; ");
  await lab.command("writeToShell", { id: shellId, data: `sh -c "${script}"\n` }, id);
  const bar = page.getByRole("progressbar");
  await bar.and(page.locator('[data-state="normal"][aria-valuenow="40"]')).waitFor();
  await lab.command("writeToShell", { id: shellId, data: "\n" }, id);
  await bar.and(page.locator('[data-state="error"]')).waitFor();
  await lab.command("createWorkspace", { name: "other" }, id);
  await page.locator(`.tile[data-tile="${key}"]`).waitFor({ state: "hidden" });
  await lab.command("writeToShell", { id: shellId, data: "\n" }, id);
  await page.getByText(/“.+” says: Build: 12 passed/).waitFor();
  await page.getByRole("button", { name: "Go to" }).click();
  await page.locator(`.tile[data-tile="${key}"]`).waitFor({ state: "visible" });
  await lab.command("writeToShell", { id: shellId, data: "\n" }, id);
  await bar.waitFor({ state: "detached" });
});
