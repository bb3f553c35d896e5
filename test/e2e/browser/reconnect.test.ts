import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { layCable } from "./cable.ts";
import { shows, startWebLab, textOf } from "./web-lab.ts";

const LOST = /The connection is lost/;

test("a reload is the same client with the same layout and output", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  await lab.command("createShell", { command: "echo first-$((1+1))" }, id);
  await lab.command("createShell", { command: "echo second-$((1+1))" }, id);
  await shows(page, "second-2");
  const layout = await lab.command("getLayoutTree", {}, id);

  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  await shows(page, "first-2");
  await shows(page, "second-2");
  expect((await lab.users()).map((user) => user.id)).toEqual([id]);
  expect(await lab.command("getLayoutTree", {}, id)).toEqual(layout);
});

test("after a lost connection the view keeps its screen, says so, and shows exactly the missed bytes, as the same client", async () => {
  await using lab = await startWebLab({ client: true });
  await using cable = await layCable(Number(new URL(lab.relay().url).port));
  const { page, id } = await lab.guest({ port: cable.port });
  const created = (await lab.command("createShell", {}, id)) as { shellId: number };
  await lab.command("writeToShell", { id: created.shellId, data: "PS1='> '; clear; echo before-$((1+1))\n" }, id);
  await shows(page, "before-2");

  cable.cut();
  await page.getByText(LOST).waitFor();
  expect(await textOf(page)).toContain("before-2");
  // What looks dead takes no keys, and says so; the message goes with the fault.
  expect(
    await page.locator(".terminal-tile > .terminal").evaluate((terminal) => getComputedStyle(terminal).opacity),
  ).toBe("0.5");
  await page.locator(".xterm").click();
  await page.keyboard.type("lost");
  const refused = page.getByText("The connection is lost: what you type is not sent.");
  await refused.waitFor();
  const desktop = (await lab.users()).find((user) => user.id !== id)?.id;
  await lab.command("writeToShell", { id: created.shellId, data: "seq -s ' ' 101 109; echo mi'ss'ed\n" }, desktop);
  await until("the shell's output", async () => {
    const { output } = (await lab.command("getShellOutput", { id: created.shellId, plain: true })) as {
      output: string;
    };
    return output.includes("missed");
  });
  expect(await textOf(page)).not.toContain("101 102");

  cable.mend();
  await shows(page, "missed");
  await refused.waitFor({ state: "detached" });
  await until("the notice to go", async () => (await page.getByText(LOST).count()) === 0);
  expect((await textOf(page)).match(/101 102 103 104 105 106 107 108 109/g)).toHaveLength(1);
  expect((await textOf(page)).match(/before-2/g)).toHaveLength(1);
  expect((await lab.users()).map((user) => user.id)).toContain(id);
});

test("a relay that is killed and started again on its port gets its page back", { tags: "slow" }, async () => {
  await using lab = await startWebLab({ own: true });
  const { page, id } = await lab.guest();
  await lab.command("createShell", { command: "echo alive-$((1+1))" }, id);
  await shows(page, "alive-2");

  await lab.kill();
  await page.getByText(LOST).waitFor();
  expect(await textOf(page)).toContain("alive-2");

  await lab.revive();
  await page.getByText("Connected", { exact: true }).waitFor();
  const back = await until("the client", async () => (await lab.users())[0]?.id);
  await lab.command("createShell", { command: "echo again-$((1+1))" }, back);
  await shows(page, "again-2");
});
