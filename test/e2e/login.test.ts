import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AsyncEntry } from "@napi-rs/keyring";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEYCHAIN_SERVICE } from "../../core/protocol/relay-file.ts";
import { launchApp, type TestApp } from "../support/app.ts";
import { axeOn } from "../support/axe.ts";
import { type DbusDesktop, startDbusDesktop } from "../support/dbus-desktop.ts";
import { serviceWords } from "../support/packaged-program.ts";
import { until } from "../support/until.ts";

const [program, ...firstWords] = serviceWords();

let desktop: DbusDesktop;
beforeAll(async () => {
  desktop = await startDbusDesktop();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

test("from an empty home: login, allowed by a click in the app, then commands, status and logout", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await using home = await emptyHome(app);
  await home.forgetKey();
  expect(await home.run("func", "list-shells")).toMatchObject({
    code: 3,
    err: expect.stringContaining("service login"),
  });

  const login = home.start("login");
  const page = await loginPage(app);
  const code = await page.getByLabel("Code").textContent();
  expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  await until("the code in the terminal", () => login.err().includes(`Code: ${code}`));
  const said = await until("the notification", () =>
    desktop.notifications.find(({ body }) => body.includes(String(code))),
  );
  expect(said.title).toBe("A program asks to be let in");
  expect((await axeOn(page).analyze()).violations).toEqual([]);

  await until("a window as tall as its question", () =>
    page.locator("main").evaluate((main) => main.scrollHeight === main.clientHeight && main.clientHeight > 200),
  );

  const allow = page.getByRole("button", { name: "Allow" });
  await until("the button to wake up", () => allow.isEnabled());
  await allow.focus();
  await page.keyboard.press("Enter");
  expect(await allow.isVisible()).toBe(true);
  await allow.click();
  expect(await login.ended()).toMatchObject({ code: 0, out: expect.stringMatching(/^Logged in as /) });
  await page.getByRole("button", { name: "Allow" }).waitFor({ state: "detached" });

  expect(await home.run("func", "list-shells")).toEqual({ code: 0, out: "[]\n", err: "" });
  const status = JSON.parse((await home.run("status")).out) as Record<string, unknown>;
  expect(status).toMatchObject({
    key: "from keychain",
    scope: "everything",
    keyName: expect.stringMatching(/^login of /),
  });
  expect(await home.run("logout")).toMatchObject({ code: 0 });
  expect(await home.run("func", "list-shells")).toMatchObject({ code: 3 });
});

test("a login denied in the app ends with an error message and no key", { tags: "slow" }, async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  await using home = await emptyHome(app);
  await home.forgetKey();
  const login = home.start("login");
  const page = await loginPage(app);
  await page.getByRole("button", { name: "Deny" }).click();
  expect(await login.ended()).toMatchObject({ code: 3, out: "", err: expect.stringContaining("denied") });
  expect(await home.run("func", "list-shells")).toMatchObject({ code: 3 });
});

async function loginPage(app: TestApp): Promise<Page> {
  const page = await until("the question", () =>
    app.electron.windows().find((window) => window.url().includes("/login/index.html")),
  );
  await page.getByRole("heading", { name: "Let this program in?" }).waitFor();
  return page;
}

/** The command line of a user with nothing in his home, on this desktop with its keychain. */
async function emptyHome({ data, relay }: TestApp) {
  const home = await mkdtemp(path.join(tmpdir(), "patchbay-home-"));
  const { SERVICE_TOKEN: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, XDG_CONFIG_HOME: path.join(home, ".config"), PATCHBAY_PROGRAM: "service" };
  const entry = new AsyncEntry(KEYCHAIN_SERVICE, relay.keyAccount ?? "", { linux: { store: "secret-service" } });
  const start = (...words: readonly string[]) => {
    const child = spawn(program, [...firstWords, ...words, "--data", data], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return watched(child);
  };
  return {
    start,
    run: (...words: readonly string[]) => start(...words).ended(),
    /** The app has put a key there; a user who must log in has none. */
    async forgetKey() {
      await until("the app's key", () => entry.getPassword());
      await entry.deleteCredential();
    },
    async [Symbol.asyncDispose]() {
      await entry.deleteCredential().catch(() => undefined);
      await rm(home, { recursive: true, force: true });
    },
  };
}

function watched(child: ChildProcess) {
  let out = "";
  let err = "";
  child.stdout?.on("data", (piece) => (out += String(piece)));
  child.stderr?.on("data", (piece) => (err += String(piece)));
  const closed = once(child, "close");
  return {
    err: () => err,
    async ended() {
      const [code] = (await closed) as [number | null];
      return { code, out, err };
    },
  };
}
