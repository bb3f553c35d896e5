import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { PsProcesses } from "../../../../../main/system/processes/ps-processes.ts";
import { startByPs } from "../../../../../main/system/processes/unix-tools.ts";

const folder = mkdtempSync(join(tmpdir(), "patchbay-ps-"));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A `ps` as that of macOS, for which it depends on the locale and the time zone what it prints of a start. */
const PS = `#!/bin/sh
start='So  1 Nov. 04:39:51 2026'
[ "$LC_ALL/$TZ" = C/UTC ] && start='Sun Nov  1 03:39:51 2026'
case "$*" in
  *lstart=STARTED*) printf '%s\\n' 'PID PPID PGID TTY STAT STARTED ARGS' "  7 1 7 ttys001 S+ $start sleep 9" ;;
  *' 7') printf '%s\\n' "$start" ;;
  *) exit 1 ;;
esac
`;

test.skipIf(process.platform === "win32")(
  "when a process started is the same text from its list and for it alone, whatever the locale",
  async () => {
    writeFileSync(join(folder, "ps"), PS);
    chmodSync(join(folder, "ps"), 0o755);
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
    vi.stubEnv("LC_ALL", "de_DE.UTF-8");
    vi.stubEnv("TZ", "Europe/Berlin");
    const [listed] = (await new PsProcesses({ withRoots: true }).below([7])).get(7) ?? [];
    expect(listed).toMatchObject({ pid: 7, startKey: "Sun Nov 1 03:39:51 2026" });
    expect(listed?.startedAt).toBe(Date.UTC(2026, 10, 1, 3, 39, 51));
    expect([startByPs(7), startByPs(8)]).toEqual(["Sun Nov 1 03:39:51 2026", undefined]);
  },
);
