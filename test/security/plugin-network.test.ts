import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pageDocument } from "../../main/relay/plugins/page-script.ts";
import { startWebLab } from "../e2e/browser/web-lab.ts";
import { createKey, launchApp } from "../support/app.ts";
import { installPlugin, pluginPage } from "../support/install-plugin.ts";
import { type NetworkTrap, setNetworkTrap, trapSwitches } from "../support/network-trap.ts";
import { type FolderServer, serveFolder } from "../support/serve-folder.ts";
import { until } from "../support/until.ts";

/** What Chromium 152 and later do by default. */
const ALLOWLISTS = [
  "--enable-features=ConnectionAllowlists,OverrideConnectionAllowlistOriginTrial",
  "--enable-blink-features=ConnectionAllowlists",
];
const EXAMPLES = resolve(import.meta.dirname, "../../examples");

let trap: NetworkTrap;
/** What the same attack reaches from an ordinary page: the attack works, and the trap has had the time to notice it. */
let control: NetworkTrap;
let folder: string;
let netLog: string;
let site: FolderServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-trap-"));
  netLog = join(folder, "net-log.json");
  trap = await setNetworkTrap("plugin");
  control = await setNetworkTrap("control");
  site = await serveFolder(EXAMPLES, {
    "trap/manifest.json": JSON.stringify({
      ...{ id: "trap", name: "Trap", version: "1.0.0", entry: "index.html" },
      ...{ permissions: ["getShellOutput", "getChat"], events: ["go"] },
    }),
    "trap/index.html": hostilePage(trap),
    "control.html": `<!doctype html><body><script>${control.attack}</script>`,
  });
});

afterEach(async () => {
  await site[Symbol.asyncDispose]();
  await trap[Symbol.asyncDispose]();
  await control[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A plugin that attacks from its own realm, and from every other one that it can make. */
function hostilePage({ attack, url }: NetworkTrap): string {
  const inner = `<script>${attack}</script>`;
  return `<!doctype html><body onload="arrive()"><pre id="log"></pre>
<iframe srcdoc='${quoted(inner)}'></iframe><object data="${url}object"></object><embed src="${url}embed">
<script src="patchbay.js"></script><script src="${url}static"></script>
<script>
const attack = ${literal(attack)};
const documents = ${literal([inner, pageDocument(Buffer.from(inner), "")])};
const run = (act) => { try { return act(); } catch { return undefined; } };
const frame = (properties) => run(() => {
  const made = Object.assign(document.createElement("iframe"), properties);
  document.body.append(made);
  return made;
});
const address = (text) => run(() => URL.createObjectURL(new Blob([text], { type: "text/html" })));
const code = "javascript:" + encodeURIComponent("(() => {" + attack + "})()");
run(() => new Function(attack)());
for (const html of documents) {
  frame({ srcdoc: html });
  for (const sandbox of ["allow-scripts", "allow-scripts allow-same-origin"]) {
    const made = frame({});
    run(() => made.setAttribute("sandbox", sandbox));
    run(() => { made.srcdoc = html; });
  }
  frame({ src: address(html) });
  frame({ src: "data:text/html," + encodeURIComponent(html) });
  const empty = frame({});
  run(() => empty.contentWindow.eval(attack));
  run(() => empty.contentDocument.write(html));
  run(() => { const child = window.open("about:blank"); child.document.write(html); });
  run(() => document.body.insertAdjacentHTML("beforeend", "<object type='text/html' data='" + address(html) + "'></object>"));
}
frame({ src: code });
run(() => { window.frames[0].location.href = code; });
run(() => { document.body.append(Object.assign(document.createElement("script"), { textContent: attack })); });
run(() => { document.body.append(Object.assign(document.createElement("script"), { src: address(attack) })); });
run(() => new Worker(URL.createObjectURL(new Blob([attack]))));
run(() => new SharedWorker(URL.createObjectURL(new Blob([attack]))));
run(() => { document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='" + attack.replace(/'/g, '"') + "'>"); });
run(() => document.body.insertAdjacentHTML("beforeend", "<svg><script>" + attack + "<\\/script></svg>"));
run(() => { location.href = code; });
const loaded = new Promise((resolve) => { globalThis.arrive = resolve; });
Promise.all([patchbay.ready, loaded]).then(() => { document.getElementById("log").textContent = "end"; });
patchbay.on("go", () => {
  frame({ src: "${url}child" });
  document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0;url=${url}refresh">');
  const link = Object.assign(document.createElement("a"), { href: "${url}link", ping: "${url}ping" });
  document.body.append(link);
  link.click();
  location.href = "${url}navigation";
});
</script>`;
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function quoted(html: string): string {
  return html.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
}

const caught = ({ udp, tcp, web, requests }: NetworkTrap) => ({ udp, tcp, web, requests });
const NOTHING = { udp: 0, tcp: 0, web: 0, requests: 0 };

/** Opens the same attack as an ordinary page, and waits until all of it has arrived. */
async function attackOpenly(page: Page): Promise<void> {
  await page.goto(`${site.url}/control.html`);
  await until("packets of an ordinary page", () => control.udp > 0 && control.tcp > 0, 30_000);
  // Only now, because a page that leaves takes its connections with it.
  await page.evaluate((url) => location.assign(url), control.url).catch(() => undefined);
  await until("the navigation of an ordinary page", () => control.requests > 0);
}

/** The names that a browser has looked up, from its log once it has ended. */
function lookedUp(): string {
  return readFileSync(netLog, "utf8");
}

describe("a plugin that was allowed to read", () => {
  test("reaches no server from a browser that enforces Connection-Allowlist, by no realm and no navigation", async () => {
    {
      await using lab = await startWebLab({
        own: true,
        switches: [...trapSwitches, ...ALLOWLISTS, `--log-net-log=${netLog}`],
      });
      await installPlugin(lab, site.url, "trap");
      const { page, id, context } = await lab.guest({ role: "admin" });
      await lab.command("openTile", { type: "plugin", plugin: "trap" }, id);
      await page.getByText("reads everything that shells have printed").waitFor();
      await page.getByText("reads the chat").waitFor();
      expect(await page.getByText("does not keep plugins from the network").count()).toBe(0);
      await page.getByRole("button", { name: "Allow and run" }).click();
      await pluginPage(page, "Trap").getByText("end", { exact: true }).waitFor();
      await lab.command("broadcastEvent", { type: "go" });
      await until("the refused navigation", () => page.frames().some((frame) => /^chrome-error:/.test(frame.url())));
      await attackOpenly(await context.newPage());
      expect(caught(trap)).toEqual(NOTHING);
    }
    expect(lookedUp()).toContain(control.host);
    expect(lookedUp()).not.toContain(trap.host);
  });

  test("does not run in another browser until its user accepts what it could carry out, and never has WebRTC", {
    tags: "slow",
  }, async () => {
    await using lab = await startWebLab({
      switches: [
        ...trapSwitches,
        "--disable-blink-features=ConnectionAllowlists",
        "--disable-features=ConnectionAllowlists",
      ],
    });
    await installPlugin(lab, site.url, "trap");
    const { page, id, context } = await lab.guest({ role: "admin" });
    await lab.command("openTile", { type: "plugin", plugin: "trap" }, id);
    // What another client allows is not accepted for this browser.
    await lab.command("allowPlugin", { plugin: "trap", methods: ["getShellOutput", "getChat"] }, id);
    const asked = page.getByRole("form", { name: "Run Trap in this browser" });
    await asked.getByText("could send to any server everything that shells have printed and the chat").waitFor();
    expect(await page.locator(".plugin-frame").count()).toBe(0);
    await asked.getByRole("button", { name: "Run it in this browser" }).click();
    await pluginPage(page, "Trap").getByText("end", { exact: true }).waitFor();
    await page.reload();
    await pluginPage(page, "Trap").getByText("end", { exact: true }).waitFor();
    await attackOpenly(await context.newPage());
    // Connections that the browser makes for frames that it then refuses carry no request.
    expect({ ...caught(trap), web: 0 }).toEqual(NOTHING);
  });

  test("reaches no server from the app, by no realm and no navigation", async () => {
    {
      await using app = await launchApp({ switches: [...trapSwitches, `--log-net-log=${netLog}`] });
      await installPlugin(
        { relay: () => ({ url: app.relay.url, session: app.session }), key: await createKey(app.data) },
        site.url,
        "trap",
      );
      const view = await app.window();
      await app.call("openTile", { type: "plugin", plugin: "trap" });
      await view.getByRole("button", { name: "Allow and run" }).click();
      await pluginPage(view, "Trap").getByText("end", { exact: true }).waitFor();
      await app.call("broadcastEvent", { type: "go" });
      await until("the refused navigation", () => view.frames().some((frame) => /^chrome-error:/.test(frame.url())));
      const ordinary = app.electron.waitForEvent("window");
      await app.electron.evaluate(
        ({ BrowserWindow }) => void new BrowserWindow({ show: false }).loadURL("about:blank"),
      );
      await (await ordinary).evaluate(control.attack);
      await until(
        "the attack of an ordinary page",
        () => control.udp > 0 && control.tcp > 0 && control.requests > 0,
        30_000,
      );
      expect(caught(trap)).toEqual(NOTHING);
    }
    expect(lookedUp()).toContain(control.host);
    expect(lookedUp()).not.toContain(trap.host);
  });
});
