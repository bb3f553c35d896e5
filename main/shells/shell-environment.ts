import { delimiter } from "node:path";

/** Variables of Patchbay's runtime, of npm, of a test runner and of another Patchbay shell. */
const OF_RUNTIME =
  /^(ELECTRON_|npm_|NODE_OPTIONS$|NODE_CHANNEL_|NODE_UNIQUE_ID$|INIT_CWD$|CHROME_DESKTOP$|ORIGINAL_XDG_|VITEST|SERVICE_(TOKEN(_\w+)?|SHELL_ID|SESSION|URL|ON)$|PATCHBAY_)/;

/**
 * Variables of the terminal that started Patchbay: programs would speak that terminal's protocols, take its colors or size,
 * or control its windows.
 */
const OF_TERMINALS =
  /^(TMUX(_PANE)?$|ZELLIJ(_SESSION_NAME|_PANE_ID)?$|STY$|WINDOW$|WINDOWID$|TERMCAP$|COLUMNS$|LINES$|TERM_PROGRAM|TERM_SESSION_ID$|TERMINAL_EMULATOR$|COLORFGBG$|GPG_TTY$|VTE_|KITTY_(?!CONFIG_DIRECTORY$|CACHE_DIRECTORY$)|GHOSTTY_|WEZTERM_|ALACRITTY_|KONSOLE_|GNOME_TERMINAL_|TERMINATOR_|TILIX_|XTERM_(VERSION|LOCALE|SHELL)$|WARP_|WT_SESSION$|WT_PROFILE_ID$|ZED_TERM$|ITERM_|LC_TERMINAL|VSCODE_|NVIM(_LISTEN_ADDRESS)?$|INSIDE_EMACS$|SHLVL$|OLDPWD$)/;

/** Variables of the agent whose tool started Patchbay: Claude Code, for one, does not start inside of another one. */
const OF_AGENTS =
  /^(CLAUDECODE$|CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION_ID|CHILD_SESSION)$|CODEX_(SANDBOX|THREAD_ID|CI$)|GEMINI_CLI$|QWEN_CODE$|OPENCODE$|AI_AGENT$)/;

/**
 * Variables of the desktop, service manager or AppImage that started Patchbay: programs would report to them in Patchbay's
 * name, and zsh would give every program the name in ARGV0.
 */
const OF_STARTERS =
  /^(DESKTOP_STARTUP_ID$|XDG_ACTIVATION_TOKEN$|GIO_LAUNCHED_DESKTOP_FILE|NOTIFY_SOCKET$|WATCHDOG_|LISTEN_(FDS|PID|FDNAMES)|JOURNAL_STREAM$|INVOCATION_ID$|MANAGERPID|SYSTEMD_EXEC_PID$|APPDIR$|APPIMAGE$|ARGV0$|OWD$)/;

const LEFTOVERS = [OF_RUNTIME, OF_TERMINALS, OF_AGENTS, OF_STARTERS];

/** Folders that npm prepends to PATH; they would shadow the user's own programs. */
const NPM_PATH = /[\\/]node_modules[\\/]\.bin$|[\\/]node-gyp-bin$/;

/** Lists to which npm or the start script of an AppImage adds folders. */
const FOLDER_LISTS = ["PATH", "LD_LIBRARY_PATH", "XDG_DATA_DIRS", "GSETTINGS_SCHEMA_DIR"];

/**
 * The environment of a shell: what it inherits without leftovers, the variables of every Patchbay shell, then `added`.
 */
export function shellEnvironment(
  inherited: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(inherited).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isLeftover(entry[0]),
  );
  const environment = Object.fromEntries(kept);
  for (const name of FOLDER_LISTS) {
    const folders = withoutForeignFolders(environment[name], inherited.APPDIR);
    if (folders === "") delete environment[name];
    else if (folders !== undefined) environment[name] = folders;
  }
  return { ...environment, ...localeFor(environment), TERM: "xterm-256color", COLORTERM: "truecolor", ...added };
}

function isLeftover(name: string): boolean {
  return LEFTOVERS.some((names) => names.test(name));
}

/** Leaves npm's and an AppImage's own folders out of a list of folders. An AppImage leaves an empty one behind, too. */
function withoutForeignFolders(list: string | undefined, appDir: string | undefined): string | undefined {
  const isOfImage = (folder: string) =>
    appDir !== undefined && (folder === "" || folder === appDir || folder.startsWith(`${appDir}/usr/`));
  return list
    ?.split(delimiter)
    .filter((folder) => !NPM_PATH.test(folder) && !isOfImage(folder))
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
