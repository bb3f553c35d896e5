import { expect, test } from "vitest";
import { findLoginShell, shellKindOf } from "../../../../main/shells/integration/login-shell.ts";
import { shellEnvironment } from "../../../../main/shells/shell-environment.ts";

test("leaves out what started Patchbay and adds what every shell has", () => {
  const inherited = {
    HOME: "/home/me",
    LANG: "de_DE.UTF-8",
    PATH: "/repo/node_modules/.bin:/usr/bin:/opt/node-gyp-bin:/bin",
    ELECTRON_RUN_AS_NODE: "1",
    NODE_OPTIONS: "--inspect",
    npm_config_registry: "x",
    INIT_CWD: "/repo",
    SERVICE_TOKEN: "secret of the parent",
    SERVICE_TOKEN_BUILD_BOX: "key of a remote",
    SERVICE_ON: "build-box",
    SERVICE_CLIENT: "desktop",
    TERM: "dumb",
    TMUX: "/tmp/tmux",
  };
  expect(shellEnvironment(inherited, { SERVICE_TOKEN: "own", SERVICE_SHELL_ID: "4" })).toEqual({
    HOME: "/home/me",
    LANG: "de_DE.UTF-8",
    PATH: "/usr/bin:/bin",
    SERVICE_CLIENT: "desktop",
    SERVICE_SHELL_ID: "4",
    SERVICE_TOKEN: "own",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
  });
});

test("leaves out what belongs to the terminal, agent or service that started Patchbay", () => {
  const leftovers = [
    ...[
      "TMUX",
      "TMUX_PANE",
      "STY",
      "ZELLIJ",
      "ZELLIJ_SESSION_NAME",
      "ZELLIJ_PANE_ID",
      "KITTY_LISTEN_ON",
      "WEZTERM_PANE",
    ],
    ...["ALACRITTY_SOCKET", "KONSOLE_VERSION", "XTERM_VERSION", "WT_SESSION", "TERM_SESSION_ID", "TERMINAL_EMULATOR"],
    ...["GNOME_TERMINAL_SERVICE", "INSIDE_EMACS", "NVIM", "COLORFGBG", "GPG_TTY", "VSCODE_IPC_HOOK_CLI"],
    ...["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "GEMINI_CLI"],
    ...["NOTIFY_SOCKET", "JOURNAL_STREAM", "LISTEN_FDS", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"],
  ];
  const settings = {
    LANG: "C.UTF-8",
    TMUX_TMPDIR: "/run/user/1000",
    ZELLIJ_CONFIG_DIR: "/home/me/zellij",
    KITTY_CONFIG_DIRECTORY: "/home/me/kitty",
    NVIM_APPNAME: "lazy",
    CLAUDE_CODE_USE_BEDROCK: "1",
    CODEX_HOME: "/home/me/codex",
  };
  const inherited = { ...Object.fromEntries(leftovers.map((name) => [name, "x"])), ...settings };
  const { TERM: _term, COLORTERM: _colors, ...kept } = shellEnvironment(inherited, {});
  expect(kept).toEqual(settings);
});

test("leaves out what an AppImage adds for its own program", () => {
  const inherited = {
    APPDIR: "/tmp/.mount_P",
    APPIMAGE: "/home/me/Patchbay.AppImage",
    ARGV0: "./Patchbay.AppImage",
    OWD: "/home/me",
    LANG: "C.UTF-8",
    PATH: "/tmp/.mount_P/bin:/tmp/.mount_P:/tmp/.mount_P/usr/sbin:/usr/bin",
    LD_LIBRARY_PATH: "/tmp/.mount_P/usr/lib:",
    XDG_DATA_DIRS: "/tmp/.mount_P/usr/share/:/usr/share/",
  };
  expect(shellEnvironment(inherited, {})).toEqual({
    LANG: "C.UTF-8",
    PATH: "/tmp/.mount_P/bin:/usr/bin",
    XDG_DATA_DIRS: "/usr/share/",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
  });
});

test("knows shells by their names", () => {
  expect(["/bin/bash", "/opt/bash-5.2", "/usr/bin/zsh", "fish", "/bin/dash", "bashful"].map(shellKindOf)).toEqual([
    "bash",
    "bash",
    "zsh",
    "fish",
    "other",
    "other",
  ]);
});

test("takes the shell of the environment only when it is a program", () => {
  expect(findLoginShell({ SHELL: "/bin/sh" }, "linux")).toBe("/bin/sh");
  expect(findLoginShell({ SHELL: "/no/such/shell" }, "linux")).not.toBe("/no/such/shell");
  expect(findLoginShell({ COMSPEC: "C:\\cmd.exe" }, "win32")).toBe("C:\\cmd.exe");
});
