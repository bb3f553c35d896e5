import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchApp } from "../support/app.ts";
import { until } from "../support/until.ts";

/** A name that the test itself has the app look up: the log works, and what came before it is in it. */
const CONTROL = "control.invalid";

test("a start of the app, its window, a shell and the panel look up no name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-net-log-"));
  const log = join(folder, "net-log.json");
  try {
    {
      await using app = await launchApp({ switches: [`--log-net-log=${log}`], firstRun: true });
      const window = await app.window();
      await until("the first shell", async () => (await window.locator(".xterm").count()) > 0);
      await app.electron.evaluate(
        ({ session }, name) => session.defaultSession.resolveHost(name).catch(() => undefined),
        CONTROL,
      );
    }
    const names = [...readFileSync(log, "utf8").matchAll(/"host(?:name)?":"([^"]*)"/g)].map(([, name = ""]) =>
      name.replace(/^https?:\/\//, "").replace(/:\d+$/, ""),
    );
    expect(names).toContain(CONTROL);
    expect(names.filter((name) => name !== CONTROL && name !== "127.0.0.1" && name !== "localhost")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
