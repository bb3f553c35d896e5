import { test } from "vitest";
import { launchApp } from "../support/app.ts";
import { startDbusDesktop } from "../support/dbus-desktop.ts";
import { until } from "../support/until.ts";
import { readFileSync } from "node:fs";
const mem = (pid: number) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
test("probe", async () => {
  await using desktop = await startDbusDesktop();
  {
    await using app = await launchApp({ args: ["--hidden"] });
    await until("up", () => app.output.includes(app.relay.url));
    await new Promise((r) => setTimeout(r, 3000));
    const family = [app.pid, ...(await app.descendants()).map((p) => p.pid)];
    console.log("hidden", family.map(mem), family.reduce((s, p) => s + mem(p), 0));
    const item = await desktop.trayItem(app.pid);
    let t = performance.now();
    await item.choose("Show panel");
    const panel = await until("panel", () => app.electron.windows()[0]);
    await panel.getByText("0 shells, 1 client").waitFor();
    console.log("panel first open", performance.now() - t);
    await app.call("createShell", { tile: false });
    await panel.screenshot({ path: "/tmp/h5/panel.png" });
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await new Promise((r) => setTimeout(r, 300));
    t = performance.now();
    await item.choose("Show panel");
    await until("visible", () => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()));
    console.log("panel second open", performance.now() - t);
    await panel.emulateMedia({ colorScheme: "light" });
    await panel.screenshot({ path: "/tmp/h5/panel-light.png" });
  }
  {
    await using app = await launchApp({ switches: ["--disable-gpu", "--disable-software-rasterizer"] });
    const w = await app.window();
    await until("up", () => app.output.includes(app.relay.url));
    await new Promise((r) => setTimeout(r, 3000));
    const family = [app.pid, ...(await app.descendants()).map((p) => p.pid)];
    console.log("window", family.map(mem), family.reduce((s, p) => s + mem(p), 0));
    await app.call("createShell");
    await new Promise((r) => setTimeout(r, 1000));
    const t = performance.now();
    await app.call("writeToShell", { id: 1, data: "head -c 84000000 /dev/zero | tr '\\\\0' x | fold -w 79; echo e-$((1+1))-nd\\n" });
    await until("end", async () => (await w.locator(".xterm-rows").first().innerText()).includes("e-2-nd"), 60000);
    console.log("84MB", performance.now() - t, "ms; bytes", await w.evaluate(() => (window as any).__done));
  }
});
