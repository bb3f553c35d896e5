import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";

const CHECKOUT = path.resolve(import.meta.dirname, "../..");

test("on a machine without a display `npm start` prints its own lines only", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "patchbay-start-"));
  writeFileSync(path.join(folder, "welcomed"), "");
  const { DISPLAY: _, XAUTHORITY: __, WAYLAND_DISPLAY: ___, DBUS_SESSION_BUS_ADDRESS: ____, ...rest } = process.env;
  const env = { ...rest, XDG_DATA_HOME: path.join(folder, "share"), XDG_CONFIG_HOME: path.join(folder, "config") };
  const words = ["tools/start.mjs", "--data", folder, "--port", "0"];
  const started = spawn(process.execPath, words, { cwd: CHECKOUT, env, stdio: ["ignore", "pipe", "pipe"] });
  try {
    let printed = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (piece) => (printed += String(piece)));
    await until("the panel and the window", () => printed.includes("opens its window and its panel instead"), 60_000);
    started.kill("SIGTERM");
    await once(started, "exit");
    // As in `[123:1124/174402.123456:ERROR:bus.cc(407)] Failed to connect to the bus`.
    expect(printed.split("\n").filter((line) => /^\[\d+:\d+\/|:(ERROR|WARNING):/.test(line))).toEqual([]);
  } finally {
    started.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
