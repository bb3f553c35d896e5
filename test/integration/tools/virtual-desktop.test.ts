import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startVirtualDesktop } from "../../../tools/setup/virtual-desktop.mjs";
import { runningProcesses } from "../../support/processes.ts";

const isLinux = process.platform === "linux";

test.runIf(isLinux)(
  "what the bus of a virtual desktop starts lives there, not in the user's runtime folder",
  async () => {
    const keyrings = mkdtempSync(path.join(tmpdir(), "pb-"));
    onTestFinished(() => rmSync(keyrings, { recursive: true, force: true }));
    const { signal } = new AbortController();
    const desktop = await startVirtualDesktop({ display: true, bus: true, keyrings, signal });
    onTestFinished(() => desktop.stop());
    const { DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS } = desktop.env;
    const folder = path.dirname(XAUTHORITY);
    expect(DBUS_SESSION_BUS_ADDRESS).toContain(`${folder}/bus`);
    const bus = (await runningProcesses()).find(({ command }) => command.includes(`--address=unix:path=${folder}/bus`));
    const given = readFileSync(`/proc/${bus?.pid}/environ`, "utf8").split("\0");
    expect(given).toEqual(
      expect.arrayContaining([`XDG_RUNTIME_DIR=${folder}`, `DISPLAY=${DISPLAY}`, `XAUTHORITY=${XAUTHORITY}`]),
    );
    expect(given.filter((variable) => variable.startsWith("XDG_RUNTIME_DIR="))).toHaveLength(1);
  },
);
