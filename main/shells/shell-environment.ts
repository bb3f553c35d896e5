import { delimiter } from "node:path";

/**
 * Variables left behind by what started Patchbay: its runtime, npm, a test runner, another terminal, another Patchbay
 * shell.
 */
const LEFTOVERS =
  /^(ELECTRON_|npm_|NODE_OPTIONS$|NODE_CHANNEL_|NODE_UNIQUE_ID$|INIT_CWD$|CHROME_DESKTOP$|ORIGINAL_XDG_|VITEST|SERVICE_(TOKEN(_\w+)?|SHELL_ID|SESSION|URL|ON)$|PATCHBAY_|TMUX|STY$|WINDOW$|WINDOWID$|TERMCAP$|COLUMNS$|LINES$|TERM_PROGRAM|VTE_|KITTY_|GHOSTTY_|WEZTERM_|ITERM_|LC_TERMINAL|VSCODE_|SHLVL$|OLDPWD$)/;

/** Folders that npm prepends to PATH; they would shadow the user's own programs. */
const NPM_PATH = /[\\/]node_modules[\\/]\.bin$|[\\/]node-gyp-bin$/;

/**
 * The environment of a shell: what it inherits without leftovers, the variables of every Patchbay shell, then `added`.
 */
export function shellEnvironment(
  inherited: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(inherited).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !LEFTOVERS.test(entry[0]),
  );
  const environment = Object.fromEntries(kept);
  if (environment.PATH !== undefined) environment.PATH = withoutNpmFolders(environment.PATH);
  return { ...environment, ...localeFor(environment), TERM: "xterm-256color", COLORTERM: "truecolor", ...added };
}

function withoutNpmFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !NPM_PATH.test(folder))
    .join(delimiter);
}

/**
 * Returns a UTF-8 locale for programs started without any by a desktop; otherwise the shell would garble non-ASCII
 * characters.
 */
function localeFor({ LC_ALL, LC_CTYPE, LANG }: Record<string, string>): Record<string, string> {
  if (process.platform === "win32" || LC_ALL || LC_CTYPE || LANG) return {};
  return { LANG: process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8" };
}
