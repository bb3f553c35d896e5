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
