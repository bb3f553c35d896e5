import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CommandLineSetUp } from "../../../../main/entry/connect-command-line.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "patchbay-command-line-"));
  program(path.join(home, "app", "bin", "patchbay"));
  program(path.join(home, "app", "bin", "service"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** An executable file that prints where it is. */
function program(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${file}'\n`);
  chmodSync(file, 0o755);
  return file;
}

function setUp(shell = "bash", environment: NodeJS.ProcessEnv = {}, folder = path.join(home, "app", "bin")) {
  return new CommandLineSetUp({
    folder,
    home,
    platform: "linux",
    environment: { SHELL: program(path.join(home, "shells", shell)), PATH: "/usr/bin:/bin", ...environment },
  });
}

const start = (name: string) => readFileSync(path.join(home, name), "utf8");

describe("the start file", () => {
  test("gets the line once, at its end, and new shells find the command line", () => {
    writeFileSync(path.join(home, ".bashrc"), "alias ll='ls -l'");
    const bash = setUp();
    expect(bash.facts()).toMatchObject({ state: "missing", file: "~/.bashrc" });
    bash.connect();
    bash.connect();
    expect(bash.facts().state).toBe("ready");
    expect(start(".bashrc")).toBe(
      `alias ll='ls -l'\n\n# The command line of Patchbay\nexport PATH=${home}/app/bin:"$PATH"\n`,
    );
    const found = execFileSync("/bin/sh", ["-c", ". ./.bashrc && service"], { cwd: home, encoding: "utf8" });
    expect(found).toBe(`${home}/app/bin/service\n`);
  });

  test("of another folder is a link that stays one", () => {
    mkdirSync(path.join(home, "dotfiles"));
    symlinkSync(path.join("dotfiles", "bashrc"), path.join(home, ".bashrc"));
    writeFileSync(path.join(home, "dotfiles", "bashrc"), "");
    setUp().connect();
    expect(readlinkSync(path.join(home, ".bashrc"))).toBe("dotfiles/bashrc");
    expect(start("dotfiles/bashrc")).toContain("export PATH=");
  });

  test.each([
    ["zsh", {}, ".zshrc"],
    ["zsh", { ZDOTDIR: "zsh" }, "zsh/.zshrc"],
    ["fish", {}, ".config/fish/conf.d/patchbay.fish"],
  ])("of %s with %o is %s", (shell, { ZDOTDIR }: { ZDOTDIR?: string }, file) => {
    const its = setUp(shell, ZDOTDIR === undefined ? {} : { ZDOTDIR: path.join(home, ZDOTDIR) });
    its.connect();
    expect(its.facts()).toMatchObject({ state: "ready", file: `~/${file}` });
    expect(start(file)).toContain(`${home}/app/bin`);
  });

  test("that cannot be written is said, with the way out", () => {
    mkdirSync(path.join(home, ".bashrc"));
    expect(() => setUp().connect()).toThrow(/could not be added: .*add it yourself/);
  });

  test("of an unknown shell is left alone: there is only the line to copy", () => {
    const other = setUp("elvish");
    expect(other.facts()).toEqual({ state: "missing", line: `export PATH=${home}/app/bin:"$PATH"`, file: null });
    expect(() => other.connect()).toThrow("start file");
  });
});

test.each(["it's here", "$HOME `id`", 'a "b" \\c'])("the line holds in a folder called %s", (name) => {
  const folder = path.join(home, name, "bin");
  program(path.join(folder, "service"));
  writeFileSync(path.join(folder, "service"), "#!/bin/sh\necho ours\n");
  setUp("bash", {}, folder).connect();
  expect(execFileSync("/bin/sh", ["-c", ". ./.bashrc && service"], { cwd: home, encoding: "utf8" })).toBe("ours\n");
});

test("a folder that cannot stand in PATH has no line", () => {
  expect(setUp("bash", {}, "/opt/a:b/bin").facts()).toEqual({ state: "missing", line: null, file: null });
});

describe("what new terminals find", () => {
  const withPath = (...folders: string[]) => setUp("bash", { PATH: [...folders, "/usr/bin"].join(":") }).facts().state;

  test("is all of it, only patchbay, or nothing", () => {
    const links = path.join(home, "links");
    mkdirSync(links);
    expect(withPath(links)).toBe("missing");
    symlinkSync(path.join(home, "app", "bin", "patchbay"), path.join(links, "patchbay"));
    expect(withPath(links)).toBe("partly");
    expect(withPath(path.join(home, "app", "bin"))).toBe("ready");
  });

  test("is not what another program of the name before it is", () => {
    program(path.join(home, "sbin", "service"));
    program(path.join(home, "sbin", "patchbay"));
    expect(withPath(path.join(home, "sbin"), path.join(home, "app", "bin"))).toBe("missing");
  });

  test("is not known from the PATH of a Patchbay shell", () => {
    const folder = path.join(home, "app", "bin");
    expect(setUp("bash", { PATH: folder, SERVICE_SHELL_ID: "3" }).facts().state).toBe("missing");
  });
});
