import { symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { builtProgram } from "../../integration/cli/built-program.ts";
import { axeOn } from "../../support/axe.ts";
import { endShellHost } from "../../support/end-shell-host.ts";
import { until } from "../../support/until.ts";
import { joinSession, shows, startWebLab } from "./web-lab.ts";

test("an invite opens the session: a new shell shows its output, and typing reaches it", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  expect(page.url()).toBe(`${lab.relay().url}/s/${lab.relay().session}`);

  await page.locator(".empty-stage").getByRole("button", { name: "New shell" }).click();
  await page.locator(".xterm").click();
  await page.keyboard.type("echo typed-$((40+2))\n");
  await shows(page, "typed-42");
  expect(await lab.users()).toMatchObject([{ id, clientKind: "browser", canWrite: true }]);
});

test("the link that serve prints on a terminal lets its owner in, in every tab, and then nobody", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  await using terminal = await serveOnTerminal();
  const link = await until("the owner's link", () => /http:\S+#owner=\S+/.exec(terminal.said())?.[0], 45_000);
  const own = await lab.browser();
  await own.page.goto(link);
  await own.page.getByText("Connected", { exact: true }).waitFor();
  expect(own.page.url()).toBe(link.split("#")[0]);
  expect(await own.page.locator('[title^="You are "]').textContent()).toBe(`${userInfo().username}· admin`);
  await own.page.locator(".empty-stage").getByRole("button", { name: "New shell" }).click();
  await own.page.locator(".xterm").click();
  await own.page.keyboard.type("echo mine-$((40+2))\n");
  await shows(own.page, "mine-42");
  // The browser is the owner's from now on.
  const tab = await own.context.newPage();
  await tab.goto(link.split("#")[0] ?? "");
  await tab.getByText("Connected", { exact: true }).waitFor();

  const stranger = await lab.browser();
  await stranger.page.goto(link);
  await stranger.page.getByText(/This link of the owner was used already/).waitFor();
  expect(await stranger.page.getByText("Connected", { exact: true }).count()).toBe(0);
});

/** `patchbay serve` on a terminal, with the built pages and a home of its own. */
async function serveOnTerminal() {
  const program = await builtProgram();
  symlinkSync(resolve(import.meta.dirname, "../../../dist/renderer"), join(program.folder, "dist/renderer"));
  const env = { PATH: process.env.PATH ?? "", HOME: program.folder, SHELL: "/bin/bash", TERM: "xterm-256color" };
  const words = [program.main, "serve", "--port", "0", "--data", join(program.folder, "data")];
  const terminal = spawnPty(process.execPath, words, { env, cols: 300, rows: 50 });
  let said = "";
  terminal.onData((text) => (said += text));
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  return {
    said: () => said,
    async [Symbol.asyncDispose]() {
      terminal.kill("SIGTERM");
      await ended;
      await endShellHost(join(program.folder, "data"));
      program[Symbol.dispose]();
    },
  };
}

test("a guest is told who invites to what and asked for a name; that of a person who is here is refused", {
  tags: "slow",
}, async () => {
  await using lab = await startWebLab();
  await lab.guest({ name: "Ann" });
  const { page } = await lab.browser({ width: 390, dark: false });
  await page.goto(await lab.invite({ role: "reader" }));
  await page.getByText(/invites you to this terminal session\. You can watch its shells/).waitFor();
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await joinSession(page, "Αnn");
  await page.getByRole("alert").getByText("is the name of a person who is here").waitFor();
  await joinSession(page, "Bea");
  await page.getByText("Connected", { exact: true }).waitFor();
  expect(await lab.users()).toMatchObject([{ name: "Ann" }, { name: "Bea", canWrite: false }]);
  // The browser suggests the same name the next time.
  await page.goto(await lab.invite());
  expect(await page.getByLabel("Your name").inputValue()).toBe("Bea");
});

test("a used, expired or unknown link opens a page that says so", { tags: "slow" }, async () => {
  await using lab = await startWebLab({ own: true });
  const used = await lab.invite();
  const first = await lab.browser();
  await first.page.goto(used);
  await joinSession(first.page);
  await first.page.getByText("Connected", { exact: true }).waitFor();
  const expired = await lab.invite({ ttl: 1 });
  const address = `${lab.relay().url}/v1/sessions/${lab.relay().session}/invites`;
  await until("the link to expire", async () => {
    const open = await fetch(address, { headers: { "X-Service-Token": lab.key } });
    return ((await open.json()) as { result: unknown[] }).result.length === 0;
  });

  for (const link of [used, expired, used.replace(/#.*/, "#pbi_never"), used.replace(/#.*/, "")]) {
    const { page } = await lab.browser();
    await page.goto(link);
    await page.getByRole("heading", { name: "No access to this session" }).waitFor();
    expect(await page.locator(".door-text").textContent()).toMatch(
      /used already, or has expired|has no access to the session/,
    );
    expect(await page.locator(".session").count()).toBe(0);
  }
});

test("the cookie is kept from scripts and other paths, and opens no socket for a page of another origin", async () => {
  await using lab = await startWebLab();
  const { page, context } = await lab.guest();
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: `/s/${lab.relay().session}` });
  expect(await page.evaluate(() => document.cookie)).toBe("");

  const headers = { Cookie: `${cookie?.name}=${cookie?.value}` };
  const address = `${page.url().replace("http:", "ws:")}/socket`;
  const own = new URL(page.url()).origin;
  expect(await outcome(address, { ...headers, Origin: own })).toBe("open");
  expect(await outcome(address, { ...headers, Origin: "https://elsewhere.example" })).toBe(403);
  expect(await outcome(address, { ...headers, Origin: "null" })).toBe(403);
  expect(await outcome(address, { Origin: own })).toBe(401);
});

/** What a WebSocket with these headers gets: `open`, or the HTTP status of the refusal. */
function outcome(address: string, headers: Record<string, string>): Promise<"open" | number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    socket.on("open", () => {
      socket.close();
      resolve("open");
    });
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode);
    });
    socket.on("error", reject);
  });
}
