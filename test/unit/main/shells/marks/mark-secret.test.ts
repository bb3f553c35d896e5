import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { installIntegration } from "../../../../../main/shells/integration/install.ts";
import { createMarkSecret } from "../../../../../main/shells/marks/mark-secret.ts";

const folder = mkdtempSync(join(tmpdir(), "patchbay-secret-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("gives a nonce of its own to each cycle, and other nonces for other secrets", () => {
  const secret = createMarkSecret();
  const nonces = Array.from({ length: 5000 }, (_, cycle) => secret.nonceOf(cycle + 1));
  expect(new Set(nonces).size).toBe(nonces.length);
  for (const nonce of nonces) expect(nonce).toMatch(/^\d{1,10}:\d{1,10}$/);
  expect(createMarkSecret().nonceOf(1)).not.toBe(nonces[0]);
});

test("is what is published: a known key gives known nonces", () => {
  const zero = createMarkSecret(Buffer.alloc(27 * 4));
  expect([zero.text, zero.nonceOf(1)]).toEqual([Array(27).fill("0").join(" "), nonceByShifts(1)]);
});

const programs = {
  bash: [
    "--noprofile",
    "--norc",
    "-c",
    `source "$1"; for i in {1..9}; do __patchbay_turn; echo "$__patchbay_nonce"; done`,
  ],
  zsh: [
    "-f",
    "-c",
    `ZDOTDIR="\${1:h}/zsh"; source "\${1:h}/zsh/.zshenv"; for i in {1..9}; do __patchbay_turn; echo "$__patchbay_nonce"; done`,
  ],
  fish: [
    "--no-config",
    "-c",
    "source $argv[2]; set -g __patchbay_n 0; for i in (seq 9); __patchbay_turn; echo $__patchbay_nonce; end",
  ],
} as const;

test.each(Object.entries(programs).filter(([name]) => existsSync(`/usr/bin/${name}`)))(
  "%s computes the same",
  (name, args) => {
    const kind = name as keyof typeof programs;
    const start = installIntegration(folder);
    for (let turn = 0; turn < 5; turn++) {
      const secret = createMarkSecret();
      const { environment } = start({ kind, secret: secret.text, login: false, inherited: {} });
      const file = join(folder, kind === "fish" ? "fish.fish" : "bash.sh");
      const printed = execFileSync(name, [...args, "-", file], {
        env: { ...environment, PATH: process.env.PATH, HOME: folder },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      const expected = Array.from({ length: 9 }, (_, index) => secret.nonceOf(index + 1));
      expect(printed.trim().split("\n").slice(-9)).toEqual(expected);
    }
  },
);

/** The cipher with 32-bit operators, all round keys zero. */
function nonceByShifts(cycle: number): string {
  let [x, y] = [0, cycle];
  for (let round = 0; round < 27; round++) {
    x = (((x >>> 8) | (x << 24)) + y) >>> 0;
    y = (((y << 3) | (y >>> 29)) ^ x) >>> 0;
  }
  return `${x}:${y}`;
}
