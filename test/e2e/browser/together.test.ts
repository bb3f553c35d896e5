import { expect, test } from "vitest";
import { axeOn } from "../../support/axe.ts";
import { until } from "../../support/until.ts";
import { shows, startWebLab, textOf } from "./web-lab.ts";

interface TileEntry {
  readonly key: number;
  readonly active: boolean;
}

test("two browsers and the desktop have layouts of their own; a target moves the focus of exactly one", async () => {
  await using lab = await startWebLab({ client: true });
  const ann = await lab.guest();
  const bob = await lab.guest();
  const desktop = (await lab.users()).map(({ id }) => id).find((id) => id !== ann.id && id !== bob.id) ?? -1;
  expect((await lab.users()).map(({ id, clientKind }) => [id, clientKind]).toSorted()).toEqual(
    [
      [desktop, "desktop"],
      [ann.id, "browser"],
      [bob.id, "browser"],
    ].toSorted(),
  );
  const everyone = [desktop, ann.id, bob.id];
  for (const [index, id] of everyone.entries()) {
    const tiles = Array.from({ length: index + 2 }, () => "shell").join(",");
    // A page without tiles may show those of another until it gets its own.
    await lab.command("setup", { grid: `${index + 2}x1`, tiles, force: true }, id);
  }
  const layouts = () => Promise.all(everyone.map((id) => lab.command<TileEntry[]>("getLayout", {}, id)));
  const before = await layouts();
  expect(before.map((tiles) => tiles.length)).toEqual([2, 3, 4]);
  await until("the tiles of both", async () => {
    return (
      (await ann.page.locator(".tile:visible").count()) === 3 && (await bob.page.locator(".tile:visible").count()) === 4
    );
  });

  const target = before[1]?.find(({ active }) => !active)?.key ?? -1;
  await lab.command("focusTile", { key: target }, ann.id);
  await ann.page.locator(`.tile[data-tile="${target}"][data-focused]`).waitFor();
  const after = await layouts();
  expect(after[1]?.filter(({ active }) => active).map(({ key }) => key)).toEqual([target]);
  expect([after[0], after[2]]).toEqual([before[0], before[2]]);
});

test("a reader sees everything, cannot type, and can arrange its own screen", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const writer = await lab.guest();
  const { shellId } = (await lab.command("createShell", { command: "echo seen-$((1+1))" }, writer.id)) as {
    shellId: number;
  };
  const reader = await lab.guest({ role: "reader" });
  expect((await lab.users()).find(({ id }) => id === reader.id)).toMatchObject({ canWrite: false });
  await expect(lab.command("createShell", {}, reader.id)).rejects.toThrow(/403/);
  await expect(lab.command("writeToShell", { id: shellId, data: "x" }, reader.id)).rejects.toThrow(/403/);

  // From its own page it may look at whatever it likes.
  await reader.page.getByRole("button", { name: /1 shell/ }).click();
  await reader.page.getByRole("button", { name: /^Watch/ }).click();
  await shows(reader.page, "seen-2");
  await reader.page.locator(".xterm").click();
  await reader.page.keyboard.type("echo intruder\n");
  await reader.page
    .getByText(/You can watch in this session, not type/)
    .first()
    .waitFor();
  await lab.command("writeToShell", { id: shellId, data: "echo later-$((1+1))\n" }, writer.id);
  await shows(reader.page, "later-2");
  expect(await textOf(reader.page)).not.toContain("intruder");
  expect(await reader.page.getByRole("button", { name: "New shell" }).count()).toBe(0);

  // Where typing is refused it can be asked for; here the host has no client, and answers on the command line.
  await reader.page.locator(".toast").getByRole("button", { name: "Ask to type" }).click();
  await reader.page
    .getByText(/You asked to type\. The host is away at the moment; the request waits for \d+ min\./)
    .waitFor();
  expect(await reader.page.getByRole("button", { name: "Asked to type" }).isDisabled()).toBe(true);
  const [request] = await lab.command<{ id: number }[]>("getRoleRequests");
  await lab.command("answerRoleRequest", { request: request?.id, allow: false });
  await reader.page.getByText("The host did not let you type for now. You can ask again in 5 min.").waitFor();
  await reader.page.locator(".title-bar").getByRole("button", { name: "Ask to type" }).click();
  await reader.page.getByText(/You asked to type a short while ago: ask again in \d+/).waitFor();
});

test("a guest lands on the host's layout, follows it until they arrange their own, and goes back to it", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab({ client: true });
  const host = { ...(await lab.guest({ name: "Ada" })), name: "Ada" };
  await lab.command("setup", { grid: "2x1", tiles: "shell,shell" }, host.id);
  const { page, id } = await lab.guest({ name: "Bea" });
  const follow = page.getByRole("button", { name: `Follow ${host.name}`, exact: true });
  const own = page.getByRole("button", { name: "My own", exact: true });
  const tiles = (count: number) =>
    until(`${count} tiles`, async () => (await page.locator(".tile:visible").count()) === count);
  await tiles(2);
  expect(await follow.getAttribute("aria-pressed")).toBe("true");
  // The host's focused tile has the host's initials, with the name for who cannot see them.
  const onlookers = page.locator(".tile[data-focused]").getByRole("img", { name: `${host.name} looks here` });
  await onlookers.waitFor();
  await lab.command("splitShell", {}, host.id);
  await tiles(3);
  await page.reload();
  await tiles(3);
  expect(await follow.getAttribute("aria-pressed")).toBe("true");

  await page.locator(".tile:not([data-focused])").first().click();
  await page.getByText(`This layout is your own now: you no longer follow ${host.name}.`).waitFor();
  expect(await own.getAttribute("aria-pressed")).toBe("true");
  await lab.command("splitShell", {}, host.id);
  await lab.command("maximize", {}, id);
  await tiles(1);
  await follow.click();
  await tiles(4);
  expect((await axeOn(page).exclude(".xterm-screen").analyze()).violations).toEqual([]);
});

test("a guest whose role was changed is told so", { tags: "slow" }, async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest({ role: "reader" });
  const setRole = (role: string) =>
    fetch(`${lab.relay().url}/v1/sessions/${lab.relay().session}/clients/${id}`, {
      method: "PATCH",
      headers: { "X-Service-Token": lab.key, "Content-Type": "application/json" },
      body: JSON.stringify({ role }),
    });
  expect((await setRole("writer")).status).toBe(200);
  await page.getByText("You can type now").waitFor();
  expect((await setRole("reader")).status).toBe(200);
  await page.getByText("You can only watch in this session now.").waitFor();
});

test("a writer who asks for a shell is told of it and of the answer, and takes it over by the same verb everywhere", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  const owner = await lab.guest({ name: "Ann" });
  const { shellId } = await lab.command<{ shellId: number }>("createShell", { title: "deploy" }, owner.id);
  const writer = await lab.guest();
  await lab.command("openTile", { type: "peek", shell: shellId }, writer.id);
  const ask = writer.page.getByRole("button", { name: "Ask to take over", exact: true });
  await ask.click();
  await writer.page.getByText(/You asked Ann for “deploy”, who has \d+ s to answer\./).waitFor();
  await owner.page.getByRole("button", { name: "Not now" }).click();
  await writer.page.getByText("“deploy” stays with Ann, who said no.").waitFor();
  await ask.click();
  await owner.page.getByRole("button", { name: /^Give / }).click();
  await writer.page.getByText("“deploy” is yours now: Ann agreed.").waitFor();
  // Where they asked, and with the keys.
  expect(await writer.page.locator(".tile:visible").count()).toBe(1);
  await writer.page.keyboard.type("echo mine-$((1+1))\n");
  await shows(writer.page, "mine-2");
});
