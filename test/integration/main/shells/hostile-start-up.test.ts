import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shellsHere, startTestHost } from "./test-host.ts";

/** Start-up files of the sorts that people have, by the name of their file. */
const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bash: {
    "hooks as starship sets them": [
      'starship_preexec() { [ "$STARSHIP_PREEXEC_READY" = true ] && { STARSHIP_PREEXEC_READY=false; START=$SECONDS; }; : "$1"; }',
      'starship_precmd() { STARSHIP_CMD_STATUS=$?; PS1="[$STARSHIP_CMD_STATUS] \\w\\n> "; STARSHIP_PREEXEC_READY=true; }',
      `trap 'starship_preexec "$_"' DEBUG`,
      "PROMPT_COMMAND=starship_precmd",
    ].join("\n"),
    "hooks as bash-preexec sets them": [
      "mode=; pre() { [[ -n $mode && $BASH_COMMAND != post* ]] && { mode=; printf 'PRE'; } || true; }",
      "post() { local s=$?; return $s; }; on() { mode=on; }",
      "trap 'pre >/dev/null' DEBUG; PROMPT_COMMAND=$'post\\non'",
    ].join("\n"),
    "a list of prompt commands": "PROMPT_COMMAND=(true 'printf \"\\e]0;title\\a\"' 'history -a')",
    "set -u": "set -u",
    "set -a": "set -a",
    "an odd IFS": "IFS=0123456789:",
    "IFS and noglob": "IFS=; set -f",
    "no history": "HISTCONTROL=ignoreboth:erasedups; HISTIGNORE='*'; unset HISTFILE",
    "keys of its own": `bind -x '"\\C-t": echo t'; bind '"\\C-g": "ls"'; bind 'set keyseq-timeout 50'`,
    "options that change matching":
      "shopt -s nocasematch extglob nullglob failglob dotglob globstar localvar_inherit 2>/dev/null",
    "functions in the place of builtins": "printf() { :; }; local() { :; }; complete() { :; }; read() { :; };",
    "traps on everything": "trap 'echo E >/dev/null' ERR; trap : RETURN; trap : USR1; set -o functrace; set -E",
    "a prompt of several lines with substitutions":
      "PS1='\\n$(echo a)\\n\\[\\e[1m\\]b\\[\\e[0m\\] \\$ '; PS2='... '; PS4='+$LINENO '",
    "POSIX mode": "set -o posix",
    "no prompt at all": "PS1=; PS2=",
    "standard error elsewhere": "exec 3>&2",
    "vi mode": "set -o vi; bind 'set show-mode-in-prompt on'",
  },
  zsh: {
    "hooks as oh-my-zsh sets them": [
      "autoload -Uz add-zsh-hook vcs_info; setopt prompt_subst",
      "omz_precmd() { print -Pn '\\e]0;%~\\a'; RPROMPT='%T' }; omz_preexec() { print -n '\\e]0;run\\a' }",
      "add-zsh-hook precmd omz_precmd; add-zsh-hook preexec omz_preexec",
      "PROMPT='%(?.%F{green}.%F{red})➜%f $(echo sub) '",
    ].join("\n"),
    "hooks as powerlevel10k sets them":
      "p10k() { PROMPT='%~ > '; RPROMPT='%*' }; precmd_functions=(p10k); zle-line-init() { zle reset-prompt }; zle -N zle-line-init",
    "old options": "setopt ksh_arrays sh_word_split no_unset 2>/dev/null; setopt posix_builtins",
    "options that change matching": "setopt extended_glob null_glob glob_subst no_nomatch csh_null_glob",
    allexport: "setopt allexport",
    "an odd IFS": "IFS=0123456789:",
    "err_return and warnings": "setopt warn_create_global c_bases octal_zeroes",
    "no line marker and vi mode": "unsetopt prompt_sp prompt_cr; bindkey -v; KEYTIMEOUT=1",
    "no history": "unset HISTFILE; setopt hist_ignore_space hist_no_store",
  },
};

const all = shellsHere.flatMap(({ name, path }) =>
  Object.entries(files[name] ?? {}).map(([title, text]) => ({ name, path, title, text })),
);

describe.each(all)("$name with $title", ({ name, path, text }) => {
  test("runs commands and waits for them", async () => {
    await using testHost = startTestHost((home) => writeFileSync(join(home, `.${name}rc`), `${text}\n`));
    const { host } = testHost;
    const id = await testHost.open(path);
    const run = (line: string) => host.run({ shell: id, line, timeoutMs: 5000 });
    expect(await run("(exit 7)")).toMatchObject({ exitCode: 7, output: "" });
    expect(await run('echo "$?"')).toMatchObject({ exitCode: 0, output: "7\r\n" });
    for (let round = 0; round < 3; round++) {
      expect(await run("/bin/echo out; sh -c 'exit 3'")).toMatchObject({ exitCode: 3, output: "out\r\n" });
    }
    await host.write(id, "echo half");
    await expect(run("echo whole")).rejects.toMatchObject({ code: "shell_busy" });
    expect(await host.run({ shell: id, line: "/bin/echo x", timeoutMs: 5000, clear: true })).toMatchObject({
      output: "x\r\n",
    });
  });
});

test.each(shellsHere.filter(({ name }) => name !== "fish"))(
  "$name with read-only prompts tells ends",
  { tags: "slow" },
  async (shell) => {
    const text = "PS1='fixed> '; PS2='more> '; readonly PS1 PS2";
    await using testHost = startTestHost((home) => writeFileSync(join(home, `.${shell.name}rc`), `${text}\n`));
    const id = await testHost.open(shell.path);
    const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs: 5000 });
    for (let round = 0; round < 3; round++) {
      expect(await run("/bin/echo out; sh -c 'exit 3'")).toMatchObject({ exitCode: 3, output: "out\r\n" });
    }
  },
);

describe.each(shellsHere)("tracing in $name", ({ name, path }) => {
  const trace = { bash: "set -x", zsh: "setopt xtrace", fish: "set -g fish_trace 1" }[name] ?? "";

  test("shows nothing of Patchbay in the output of a command", async () => {
    await using testHost = startTestHost();
    const id = await testHost.open(path);
    const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs: 5000 });
    await run(trace);
    const traced = {
      bash: /^\+ echo hi\r\nhi\r\n$/,
      zsh: /^\+[^\r\n]*> echo hi\r\nhi\r\n$/,
      fish: /^> echo hi\r\nhi\r\n$/,
    };
    for (let round = 0; round < 3; round++) {
      expect((await run("echo hi")).output).toMatch(traced[name as keyof typeof traced]);
    }
    expect((await testHost.host.read({ shell: id })).output).not.toMatch(/__patchbay/);
  });
});

test("bash that is started in POSIX mode by its environment has marks, and reads ENV", async () => {
  await using testHost = startTestHost((home) => writeFileSync(join(home, "env.sh"), "MARK=loaded\n"));
  const { host, home } = testHost;
  await host.spawn({
    id: 90,
    cwd: home,
    cols: 80,
    rows: 24,
    env: {},
    shell: "/bin/bash",
    inherit: { PATH: process.env.PATH ?? "", HOME: home, POSIXLY_CORRECT: "y", ENV: join(home, "env.sh") },
  });
  const { output } = await host.run({
    shell: 90,
    line: "echo $MARK $POSIXLY_CORRECT; shopt -o posix",
    timeoutMs: 5000,
  });
  expect(output).toMatch(/^loaded y\r\nposix\s+on\r\n$/);
});

test.runIf(existsSync("/usr/bin/fish"))("fish keeps its marks when another prompt is chosen", async () => {
  await using testHost = startTestHost();
  const id = await testHost.open("/usr/bin/fish");
  const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs: 5000 });
  await run("function fish_prompt; echo 'other> '; end");
  for (let round = 0; round < 3; round++) {
    expect(await run("sh -c 'exit 3'")).toMatchObject({ exitCode: 3, output: "" });
  }
  await testHost.host.write(id, "half");
  await expect(run("true")).rejects.toMatchObject({ code: "shell_busy" });
});

test("bash with set -e runs on until a command fails", async () => {
  await using testHost = startTestHost((home) => writeFileSync(join(home, ".bashrc"), "set -e\n"));
  const id = await testHost.open("/bin/bash");
  const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs: 5000 });
  for (let round = 0; round < 3; round++) expect(await run("echo on")).toMatchObject({ output: "on\r\n", exitCode: 0 });
  expect(await run("false")).toMatchObject({ exitCode: 1 });
  expect(await testHost.host.info({ shell: id })).toMatchObject({ running: false, exitCode: 1 });
});

test("a bash whose prompt commands are taken away says so at once", async () => {
  await using testHost = startTestHost();
  const { host } = testHost;
  const id = await testHost.open("/bin/bash");
  await host.run({ shell: id, line: "true", timeoutMs: 5000 });
  const lost = { code: "no_shell_integration", message: expect.stringContaining("PROMPT_COMMAND") };
  await expect(host.run({ shell: id, line: "unset PROMPT_COMMAND", timeoutMs: 20_000 })).rejects.toMatchObject(lost);
  await expect(host.run({ shell: id, line: "true", timeoutMs: 20_000 })).rejects.toMatchObject(lost);
});
