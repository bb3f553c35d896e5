import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { skillKinds } from "../../../../cli/commands/skill.ts";
import { commandNames } from "../../../../cli/parse/command-table.ts";
import { runCli } from "../run-cli.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-skill-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("the text has at most 150 lines, names every command, and says what a restricted shell may do", async () => {
  const { code, out } = await runCli(["skill"]);
  expect(code).toBe(0);
  expect(out.split("\n").length).toBeLessThanOrEqual(151);
  for (const name of commandNames()) expect(out).toContain(`\`${name}\``);
  expect(out).toMatch(/^---\nname: patchbay\ndescription: [^\n]{100,1024}\n---\n/);
  expect(out).toMatch(/restricted[\s\S]*scope_forbids[\s\S]*asked whether to allow you/);
});

test.each(skillKinds)("is installed for %s where it looks for skills, and removed without a trace", async (kind) => {
  const env = { HOME: home };
  const text = (await runCli(["skill"])).out;
  const installed = await runCli(["skill", "install", kind, "--yes"], { env });
  const [, file = ""] = / to (.*SKILL\.md)\.\n/.exec(installed.out) ?? [];
  expect(file.startsWith(home)).toBe(true);
  expect(file).toMatch(/\/skills\/patchbay\/SKILL\.md$/);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect((await runCli(["skill", "install", kind], { env })).out).toContain("nothing was changed");
  expect(await runCli(["skill", "remove", kind], { env })).toMatchObject({ code: 0, out: `Removed ${file}.\n` });
  expect(existsSync(join(file, ".."))).toBe(false);
  expect((await runCli(["skill", "remove", kind], { env })).out).toContain("does not exist");
});

test("asks before it writes, replaces an older text, and leaves other files of the folder", async () => {
  const env = { CLAUDE_CONFIG_DIR: home };
  const folder = join(home, "skills", "patchbay");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), "older\n");
  writeFileSync(join(folder, "notes"), "mine");
  expect(await runCli(["skill", "install", "claude"], { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining("nothing was changed"),
  });
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toBe("older\n");
  await runCli(["skill", "install", "claude", "--yes"], { env });
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toContain("name: patchbay");
  await runCli(["skill", "remove", "claude"], { env });
  expect(readFileSync(join(folder, "notes"), "utf8")).toBe("mine");
  // What another program has written there stays.
  writeFileSync(join(folder, "SKILL.md"), "another's");
  expect((await runCli(["skill", "remove", "claude"], { env })).err).toContain("is not Patchbay's");
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toBe("another's");
  for (const words of [["install"], ["install", "constructor"], ["install", "claude", "x"], ["erase", "claude"]]) {
    expect((await runCli(["skill", ...words], { env })).code).toBe(2);
  }
});
