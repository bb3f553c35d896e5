import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tunnel } from "../../core/protocol/records.ts";
import { startWebLab, type WebLab } from "../e2e/browser/web-lab.ts";
import { freePort } from "../support/free-port.ts";
import { fetchLocal } from "../support/local-name.ts";
import { serveFolder } from "../support/serve-folder.ts";
import { until } from "../support/until.ts";

let lab: WebLab;
let site: string;

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), "patchbay-site-"));
  lab = await startWebLab({ own: true });
}, 60_000);

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(site, { recursive: true, force: true });
});

describe("a page in a tunnel", () => {
  test("reaches neither the API, nor our cookies, nor the page around it", async () => {
    const port = await freePort();
    writeFileSync(join(site, "index.html"), "<h1>My site</h1>");
    const { page, id, context } = await lab.guest();
    await lab.command("createShell", { command: `cd ${site} && python3 -m http.server ${port}` }, id);
    const tunnel = await until(
      "the tunnel",
      async () => (await lab.command<Tunnel[]>("getTunnelPorts")).find((one) => one.port === port),
      30_000,
    );
    await lab.command("openTile", { type: "tunnel", port }, id);
    await page.frameLocator(".web-tile iframe").getByText("My site").waitFor();
    const inside = page.frames().find((frame) => frame.url().startsWith(tunnel.url));
    if (inside === undefined) throw new Error("no frame");
    const relay = lab.relay();
    const got = await inside.evaluate(
      async ({ url, session }) => {
        const tried = async (what: () => Promise<unknown>) => what().then(String, () => "refused");
        const socket = () =>
          new Promise((done, refuse) => {
            const made = new WebSocket(`${url.replace("http", "ws")}/s/${session}/socket`);
            made.onopen = done;
            made.onerror = refuse;
          });
        return {
          cookies: document.cookie,
          set: await tried(async () => {
            for (const domain of ["", "; Domain=localhost", "; Domain=127.0.0.1"]) {
              Object.assign(document, {
                cookie: `patchbay_guest_${session}=tossed; Path=/; SameSite=None; Secure; Partitioned${domain}`,
              });
            }
            return document.cookie;
          }),
          read: await tried(() => fetch(`${url}/s/${session}/guest`, { credentials: "include" })),
          post: await tried(() =>
            fetch(`${url}/v1/sessions/${session}/remote/command`, { method: "POST", body: "{}" }),
          ),
          socket: await tried(socket),
          parent: await tried(async () => window.parent.document.title),
          top: await tried(async () => {
            if (window.top !== null) window.top.location.href = "about:blank";
          }),
        };
      },
      { url: relay.url, session: relay.session },
    );
    expect({ ...got, top: "" }).toEqual({
      cookies: "",
      // It can set what it likes, for its own host.
      set: `patchbay_guest_${relay.session}=tossed`,
      read: "refused",
      post: "refused",
      socket: "refused",
      parent: "refused",
      top: "",
    });
    expect(page.url()).toContain(`/s/${relay.session}`);
    await page.getByText("Connected", { exact: true }).waitFor();
    // The pass is for the guests of the session: another browser of this machine has none.
    expect((await fetchLocal(tunnel.url)).status).toBe(401);
    const guest = await context.cookies(`${relay.url}/s/${relay.session}/socket`);
    expect(guest.map(({ name, value, domain }) => [name, value.slice(0, 4), domain])).toEqual([
      [`patchbay_guest_${relay.session}`, "pbg_", "127.0.0.1"],
    ]);
    // Of the relay's cookies the tunnel's host has the pass alone, and the relay's host has no pass.
    const all = await context.cookies();
    expect(
      all.filter(({ value }) => value.startsWith("pb")).map(({ name, domain, httpOnly }) => [name, domain, httpOnly]),
    ).toEqual([
      [`patchbay_guest_${relay.session}`, "127.0.0.1", true],
      ["__Host-patchbay_pass", new URL(tunnel.url).hostname, true],
    ]);
    // A link to another page of the program and a reload of the tile stay inside.
    await page.getByRole("button", { name: "Reload" }).click();
    await page.frameLocator(".web-tile iframe").getByText("My site").waitFor();
    const outside = await context.newPage();
    await outside.goto((await page.locator(".web-tile iframe").getAttribute("src")) ?? "");
    await outside.getByText("My site").waitFor();
    expect(outside.url()).toBe(tunnel.url);
    await context.close();
  });
});

describe("a page in a tile", () => {
  test("takes no keys that are typed in a terminal, and holds no window open", { tags: "slow" }, async () => {
    const taking = `<title>0</title><input id="taken"><script>
      let tries = 0;
      onbeforeunload = (event) => event.preventDefault();
      setInterval(() => { taken.focus(); document.title = String(++tries); }, 20);
    </script>`;
    await using server = await serveFolder(site, { taking });
    const { page, id, context } = await lab.guest();
    const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
    await lab.command("openTile", { type: "browser", url: `${server.url}/taking`, focus: false }, id);
    const inside = page.frameLocator(".web-tile iframe");
    await inside.locator("#taken").waitFor({ state: "attached" });
    await page.locator(".tile .xterm").click();
    const frame = page.frames().find((one) => one.url().endsWith("/taking"));
    if (frame === undefined) throw new Error("no frame");
    const tries = async () => Number(await frame.title());
    const before = await tries();
    await until("the page to have tried", async () => (await tries()) > before + 20);
    expect(await page.locator(".web-tile iframe").isVisible()).toBe(false);
    await page.keyboard.type("# a secret in a terminal", { delay: 30 });
    await until("the whole line in the shell", async () => {
      const { output } = await lab.command<{ output: string }>("getShellOutput", { id: shellId, plain: true }, id);
      return output.includes("# a secret in a terminal");
    });
    expect(await inside.locator("#taken").inputValue()).toBe("");
    // Nor does it under a pointer that presses nothing.
    const box = await page.locator(".web-tile").boundingBox();
    if (box === null) throw new Error("no tile");
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    // A page that loses the keys again has lost them a frame later.
    const keepsKeys = () =>
      page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        return document.querySelector(".tile[data-focused] .web-tile iframe") === (document.activeElement ?? document);
      });
    let tried = 0;
    page.on("console", (message) => {
      if (message.text() === TRIED) tried += 1;
    });
    await page.evaluate(reportTriesWithoutUser, TRIED);
    // Nothing is evaluated meanwhile: that counts as a press of the user.
    await until("the page to have tried under the pointer", async () => {
      await page.mouse.move(at.x + Math.random() * 20, at.y);
      return tried >= 3;
    });
    await page.keyboard.type("# more of it", { delay: 30 });
    expect(await inside.locator("#taken").inputValue()).toBe("");
    // A press gives it the keys.
    await until("the page to have the keys", async () => {
      await page.mouse.move(at.x + Math.random() * 20, at.y);
      await page.mouse.click(at.x, at.y);
      return keepsKeys();
    });
    await page.keyboard.type("meant");
    expect(await inside.locator("#taken").inputValue()).toBe("meant");
    let asked = false;
    page.on("dialog", (dialog) => {
      asked = true;
      void dialog.accept();
    });
    await page.close({ runBeforeUnload: true });
    await until("the page to be closed", () => page.isClosed());
    expect(asked).toBe(false);
    await context.close();
  });
});

describe("a page of another server on this machine", () => {
  test("neither locks a guest out with cookies nor makes the browser act as a guest of its own", async () => {
    await using server = await serveFolder(site, { page: "<!doctype html><title>other server</title>" });
    const { url, session } = lab.relay();
    const entered = await fetch(`${url}/s/${session}/enter`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ invite: new URL(await lab.invite()).hash.slice(1), name: "attacker" }),
    });
    const [tossed = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
    const { page, context } = await lab.guest();
    const self = page.locator('[title^="You are "]');
    const name = (await self.getAttribute("title"))?.replace(/, client.*/, "");
    const isStillItself = async () => {
      await page.getByText("Connected", { exact: true }).waitFor();
      expect((await self.getAttribute("title"))?.replace(/, client.*/, "")).toBe(name);
    };
    const other = await context.newPage();
    await other.goto(`${server.url}/page`);

    // The cookies of the longest path are sent first.
    const paths = [`/s/${session}/`, `/s/${session}/guest`, `/s/${session}/socket`, `/s/${session}/tunnels/1`];
    const set = (cookies: readonly string[]) =>
      other.evaluate((all) => {
        for (const cookie of all) Object.assign(document, { cookie: `${cookie}; Max-Age=31536000` });
      }, cookies);
    await set(paths.map((path) => `${tossed}; Path=${path}`));
    const told = await page.evaluate(async () => (await fetch(`${location.pathname}/guest`)).text());
    expect(told, "the cookie alone is the attacker's").toContain('"attacker"');
    await page.reload();
    await isStillItself();

    const guestCookies = async () =>
      (await context.cookies()).filter(({ name: cookie, path }) => /guest/.test(cookie) && path === `/s/${session}`);
    expect(await guestCookies()).toHaveLength(1);
    await until("the eviction of the guest's cookie", async () => {
      await set(Array.from({ length: 400 }, () => `junk${Math.random()}=1; Path=/`));
      return (await guestCookies()).length === 0;
    });
    await page.reload();
    await isStillItself();

    await set(Array.from({ length: 40 }, (_none, n) => `big${n}=${"x".repeat(2000)}; Path=/`));
    // A page does not wait until the browser has its cookies; one that comes after the answer would stay.
    const isBig = ({ name: cookie }: { name: string }) => cookie.startsWith("big");
    await until("all cookies", async () => (await context.cookies()).filter(isBig).length === 40);
    expect((await page.reload())?.status(), "no request fits").toBe(431);
    // The answer has the browser drop them, which it does on the side.
    await until("the browser to have dropped the cookies", async () => (await context.cookies()).length === 0);
    await page.reload();
    await isStillItself();
    // Without a page key of its own the page takes nothing from a cookie.
    await page.evaluate(() => localStorage.clear());
    await set([`${tossed}; Path=/`]);
    await page.reload();
    await page.getByRole("heading", { name: "No access to this session" }).waitFor();
    await context.close();
  });
});

const TRIED = "a page in a tile has taken the keys";

/**
 * Runs in the page: resolves when its user has pressed nothing for some seconds, and logs from then on when the keys go into
 * a page in a tile.
 */
function reportTriesWithoutUser(text: string): Promise<void> {
  const isAway = () => !navigator.userActivation.isActive;
  window.addEventListener("blur", () => isAway() && console.info(text));
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!isAway()) return;
      clearInterval(timer);
      resolve();
    }, 50);
  });
}
