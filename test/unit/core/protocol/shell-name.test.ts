import { expect, test } from "vitest";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import {
  describeShell,
  type NamedShell,
  programName,
  type ShellContext,
  shortPath,
  withoutMarks,
} from "../../../../core/protocol/shell-name.ts";

const base: NamedShell = {
  id: 7 as ShellId,
  title: "",
  cwd: "/home/mara/src/api",
  command: "/bin/bash",
  process: null,
  running: true,
};
/** Shells in the folder of `base`, and one elsewhere. */
const beside = (...ids: number[]) => [
  { id: 1 as ShellId, cwd: "/srv" },
  ...ids.map((id) => ({ id: id as ShellId, cwd: base.cwd })),
];
const claude = { agentType: "claude", state: "working" } as const;
const codex = { agentType: "codex", state: "working" } as const;
const gemini = { agentType: "gemini", state: "idle" } as const;

test.each<[string, Partial<NamedShell>, ShellContext, string, string]>([
  ["no title at the prompt", {}, {}, "api", "~/src/api"],
  ["Debian's prompt", { title: "mara@vm: ~/src/api" }, {}, "api", "~/src/api"],
  ["Debian's prompt in a chroot", { title: "(sid)mara@vm: ~/src/api" }, {}, "api", "~/src/api"],
  ["Debian's prompt at home", { title: "root@vm: ~", cwd: "/root" }, {}, "~", ""],
  ["a home folder elsewhere", { title: "root@vm: ~", cwd: "/tmp/w/home" }, {}, "home", "/tmp/w/home"],
  ["Fedora's prompt", { title: "mara@vm:~/src/api" }, {}, "api", "~/src/api"],
  ["a shortened path", { title: "mara@vm: …/src/api" }, {}, "api", "~/src/api"],
  ["fish's prompt", { title: "fish ~/src/api", command: "/usr/bin/fish" }, {}, "api", "~/src/api"],
  ["a shell's own name", { title: "zsh", command: "/bin/zsh -l" }, {}, "api", "~/src/api"],
  ["a shell in a shell", { process: "bash" }, {}, "api", "~/src/api"],
  ["the root folder", { cwd: "/", title: "root@vm: /" }, {}, "/", ""],
  ["a folder of Windows", { cwd: "C:\\Users\\mara\\src", command: "pwsh.exe" }, {}, "src", "~\\src"],
  ["a title of the user's own", { title: "deploys" }, {}, "deploys", "~/src/api"],
  ["a title that an agent left behind", { title: "✳ Fix the retry policy" }, {}, "api", "~/src/api"],
  ["vim under Debian's prompt", { title: "mara@vm: ~/src/api", process: "vim" }, {}, "vim", "~/src/api"],
  [
    "vim with a title",
    { title: "README.md (~/src/api) - VIM", process: "vim" },
    {},
    "vim",
    "README.md (~/src/api) - VIM · ~/src/api",
  ],
  [
    "one of several scripts that a program runs, of whose arguments the command line does not tell",
    { process: "node", commandLine: "./ask.sh colour" },
    { shells: [{ id: 1 as ShellId, cwd: "/srv", process: "node", commandLine: "./ask.sh size" }] },
    "node · 2",
    "~/src/api",
  ],
  ["htop", { title: "root@vm: /tmp/x", cwd: "/tmp/x", process: "htop" }, {}, "htop", "/tmp/x"],
  ["Midnight Commander", { title: "mc [root@vm]:~", cwd: "/root", process: "mc" }, {}, "mc", "~"],
  ["ssh", { title: "ann@build-7: ~", cwd: "/home/mara", process: "ssh" }, {}, "ssh", "ann@build-7: ~ · ~"],
  [
    "claude before its first task",
    { title: "✳ Claude Code", process: "claude" },
    { agent: claude },
    "claude",
    "~/src/api",
  ],
  [
    "claude at work",
    { title: "◐ Fix the retry policy", process: "claude" },
    { agent: claude },
    "Fix the retry policy",
    "claude · ~/src/api",
  ],
  [
    "claude, one frame later",
    { title: "⠂ Fix the retry policy", process: "node" },
    { agent: claude },
    "Fix the retry policy",
    "claude · ~/src/api",
  ],
  ["codex in its folder", { title: "⠹ api", process: "codex" }, { agent: codex }, "codex", "~/src/api"],
  ["codex asking", { title: "[ ! ] Action Required | api", process: "codex" }, { agent: codex }, "codex", "~/src/api"],
  ["gemini", { title: "◇  Ready (api)", process: "node" }, { agent: gemini }, "gemini", "~/src/api"],
  [
    "an agent started by name",
    { title: "claude --resume", process: "claude" },
    { agent: claude },
    "claude",
    "~/src/api",
  ],
  [
    "an agent that is stopped",
    { title: "✳ Fix it" },
    { agent: { agentType: "claude", state: "idle", paused: true } },
    "api",
    "~/src/api",
  ],
  ["a label", { process: "vim", title: "mara@vm: ~/src/api" }, { label: "notes" }, "notes", "vim · ~/src/api"],
  ["an empty label", { process: "vim" }, { label: "" }, "vim", "~/src/api"],
  [
    "a label on an agent",
    { title: "◐ Fix it" },
    { label: "retry", agent: claude },
    "retry",
    "Fix it · claude · ~/src/api",
  ],
  [
    "a title given with the shell",
    { title: "server", titleFixed: true, process: "node" },
    {},
    "server",
    "node · ~/src/api",
  ],
  [
    "a program in place of a shell",
    { command: "/usr/bin/btop -p 0", direct: true, process: "btop" },
    {},
    "btop",
    "~/src/api",
  ],
  ["a shell that has ended", { running: false, process: "vim", title: "mara@vm: ~/src/api" }, {}, "api", "~/src/api"],
  ["a program that has ended", { running: false, command: "/usr/bin/make all", direct: true }, {}, "make", "~/src/api"],
  ["a shell that was not looked at", { process: undefined, title: "mara@vm: ~/src/api" }, {}, "api", "~/src/api"],
  ["nothing at all", { cwd: "", command: "" }, {}, "Shell 7", ""],
  ["the third shell in a folder", {}, { shells: beside(2, 5, 7, 9) }, "api · 3", "~/src/api"],
  ["the second shell at home", { cwd: "/srv", title: "" }, { shells: beside(7) }, "srv · 2", "/srv"],
  ["the first of several", {}, { shells: beside(7, 9) }, "api", "~/src/api"],
  ["a program in a folder with others", { process: "vim" }, { shells: beside(2, 7) }, "vim", "~/src/api"],
  ["a home folder that the shell names", { cwd: "/tmp/w/home/api", home: "/tmp/w/home" }, {}, "api", "~/api"],
  ["a prompt in such a home", { title: "ann@vm: ~", cwd: "/tmp/w/home", home: "/tmp/w/home" }, {}, "~", ""],
  ["a folder beside such a home", { cwd: "/tmp/w/homes", home: "/tmp/w/home" }, {}, "homes", "/tmp/w/homes"],
  ["a shell whose home is the root", { cwd: "/srv", home: "/" }, {}, "srv", "/srv"],
  ["the last command at the prompt", { commandLine: "npm test" }, {}, "api", "npm test · ~/src/api"],
  ["the last command of an ended shell", { commandLine: "exit", running: false }, {}, "api", "~/src/api"],
  ["a program with a file", { process: "vim", commandLine: "vim /etc/hosts" }, {}, "vim hosts", "~/src/api"],
  [
    "a program with options",
    { process: "less", commandLine: "sudo less -R -x 4 --chop '/etc/services'" },
    {},
    "less services",
    "~/src/api",
  ],
  [
    "an option before the last word",
    { process: "tail", commandLine: "tail -f a/x.log" },
    {},
    "tail x.log",
    "~/src/api",
  ],
  ["options alone", { process: "top", commandLine: "top -d2" }, {}, "top", "~/src/api"],
  ["a program in a pipe", { process: "cat", commandLine: "cat | sort names" }, {}, "cat", "~/src/api"],
  ["a program that the line does not name", { process: "vim", commandLine: "git commit" }, {}, "vim", "~/src/api"],
  [
    "the second of two that run the same",
    { process: "htop", commandLine: "htop" },
    { shells: [{ id: 3 as ShellId, cwd: "/srv", process: "htop", commandLine: "htop" }] },
    "htop · 2",
    "~/src/api",
  ],
  [
    "the second of two agents without a task",
    { process: "claude" },
    { agent: claude, shells: [{ id: 3 as ShellId, cwd: "/srv", process: "claude" }] },
    "claude · 2",
    "~/src/api",
  ],
])("%s", (_, shell, context, name, detail) => {
  expect(describeShell({ ...base, ...shell }, context)).toMatchObject({ name, detail });
});

test.each(["⠋", "⠙", "◐", "◑", "✳", "✶", "✻", "✽", "·", "*", "⏳", "|", "/", "-", "\\", "[ ! ]", "[ . ]", "✋", "✦ ✦"])(
  "the mark %s is no part of a title",
  (mark) => {
    expect(withoutMarks(`${mark} Fix the retry policy`)).toBe("Fix the retry policy");
  },
);

test.each(["*scratch* - Emacs", "C++ build", "データベースの移行", "-v", "a / b", "🚀 ship it"])(
  "%s stays as it is",
  (title) => {
    expect(withoutMarks(title)).toBe(title);
  },
);

test.each([
  ["/home/mara/src", "~/src"],
  ["/home/mara", "~"],
  ["/Users/kai/x", "~/x"],
  ["/rooted", "/rooted"],
  ["/root", "~"],
  ["/srv/home/mara", "/srv/home/mara"],
])("the path %s reads %s", (path, short) => expect(shortPath(path)).toBe(short));

test("a program is shown by its name", () => {
  expect([programName("/usr/bin/zsh -l"), programName("vim"), programName("C:\\bin\\pwsh.exe")]).toEqual([
    "zsh",
    "vim",
    "pwsh.exe",
  ]);
});
