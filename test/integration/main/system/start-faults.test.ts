import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { type ServeProcess, startServeLab } from "../../../support/start-serve.ts";

describe("a start that cannot be says so in a sentence", () => {
  test.each([
    "relay.json",
    "shell-host.json",
    "patchbay.db",
    "commands.sock",
    "shells.sock",
    "lock.db",
    "logs/current.log",
    "logs/shell-host.log",
  ])("%s is a folder", async (name) => {
    await using lab = await startServeLab();
    mkdirSync(join(lab.data, name), { recursive: true });
    const said = await failure(lab.serve());
    expect(said).toContain(join(lab.data, name));
    expect(said).not.toMatch(/\n\s+at /);
  });

  test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
    "the disk is full",
    { tags: "slow" },
    async () => {
      await using lab = await startServeLab();
      mkdirSync(lab.data);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "none", lab.data]);
      try {
        const filler = join(lab.data, "filler");
        let started = 0;
        // With no store yet, and then with one; a little more is free each time, so that every step of the start is met.
        for (const free of [0, 64, 128, 256, 1024, 0, 4, 8, 12, 16, 20, 24, 28, 64]) {
          rmSync(filler, { force: true });
          fill(filler);
          truncateSync(filler, Math.max(0, statSync(filler).size - free * 1024));
          const relay = await lab.serve().catch((error: unknown) => String(error));
          if (typeof relay === "string") expect(relay).toMatch(/^Error: serve ended with 1: patchbay: [^\n]+\.\n$/);
          else {
            started += 1;
            await relay.stop();
          }
        }
        expect(started).toBeGreaterThan(0);
      } finally {
        execFileSync("umount", ["-l", lab.data]);
      }
    },
  );

  test.skipIf(process.platform !== "linux")(
    "files cannot grow, at any step of the start",
    { tags: "slow" },
    async () => {
      await using lab = await startServeLab();
      mkdirSync(lab.data);
      let started = 0;
      // With no store yet, and then with one.
      for (const bytes of [0, 50, 150, 4096, 16_384, 40_000, 100_000, 4_000_000, 0, 50, 150, 4096, 40_000]) {
        const relay = await lab.serve([], { NODE_OPTIONS: filesUpTo(bytes) }).catch((error: unknown) => String(error));
        if (typeof relay === "string") expect(relay).toMatch(/^Error: serve ended with 1: patchbay: [^\n]+\.\n$/);
        else {
          started += 1;
          await relay.stop();
        }
      }
      expect(started).toBeGreaterThan(0);
    },
  );

  test.each(["relay.json", "patchbay.db", "commands.sock", "logs"])(
    "%s is a link that leads in a circle",
    async (name) => {
      await using lab = await startServeLab();
      mkdirSync(lab.data);
      symlinkSync(name, join(lab.data, name));
      const said = await failure(lab.serve());
      expect(said).toContain(`${join(lab.data, name)} cannot be read`);
      expect(said).not.toMatch(/\n\s+at /);
    },
  );

  test.skipIf(process.platform !== "linux")("the data folder is to be where none can be made", async () => {
    await using lab = await startServeLab();
    const said = await failure(lab.serve(["--data", "/proc/patchbay/data"]));
    expect(said).toContain("The data folder /proc/patchbay/data cannot be written (ENOENT");
  });

  test("another program writes to the database", async () => {
    await using lab = await startServeLab();
    await (await lab.serve()).stop();
    const other = new Database(join(lab.data, "patchbay.db"));
    other.exec("BEGIN IMMEDIATE");
    const said = await failure(lab.serve()).finally(() => other.close());
    const file = join(lab.data, "patchbay.db");
    expect(said).toContain(`with 1: patchbay: Another program holds the database ${file}: end that program, then`);
    expect(said).not.toMatch(/\n\s+at /);
  });

  test("logs is a file", async () => {
    await using lab = await startServeLab();
    mkdirSync(lab.data);
    writeFileSync(join(lab.data, "logs"), "");
    expect(await failure(lab.serve())).toContain("is a file, but Patchbay keeps a folder of that name: move it away.");
  });

  test("logs in another place are no fault", async () => {
    await using lab = await startServeLab();
    mkdirSync(join(lab.data, "..", "elsewhere"), { recursive: true });
    mkdirSync(lab.data);
    symlinkSync(join(lab.data, "..", "elsewhere"), join(lab.data, "logs"));
    expect(await (await lab.serve()).stop()).toBe(0);
  });
});

/** Fills the disk that a file is on. */
function fill(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(handle);
  }
}

/** An option for Node with which the process can write no file beyond this size: a disk that is full, without being root. */
function filesUpTo(bytes: number): string {
  const script = `import { execFileSync } from "node:child_process";
    execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=${bytes}:${bytes}"]);`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

async function failure(start: Promise<ServeProcess>): Promise<string> {
  return start.then(
    () => "it started",
    (error: unknown) => String(error),
  );
}
