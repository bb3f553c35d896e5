import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { errorText } from "../../core/protocol/error-text.ts";
import type { CommandLineFacts } from "../../preload/channels.ts";
import { findLoginShell, shellKindOf } from "../shells/integration/login-shell.ts";
import { quoted } from "./next-steps.ts";

interface Options {
  /** Folder with this program's `patchbay` and `service`. */
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/** What makes new terminals find the command line: a line of the start file of the user's own shell. */
export class CommandLineSetUp {
  readonly #options: Required<Options>;

  constructor({ environment = process.env, home = homedir(), platform = process.platform, folder }: Options) {
    this.#options = { environment, home, platform, folder };
  }

  /** Reads the state from PATH and the start file. */
  facts(): CommandLineFacts {
    const { home } = this.#options;
    const { line, file } = this.#startLine();
    const state =
      this.#isFound("service") || (file !== undefined && read(file).includes(line ?? ""))
        ? "ready"
        : this.#isFound("patchbay")
          ? "partly"
          : "missing";
    const shown = file?.startsWith(`${home}${path.sep}`) ? `~${file.slice(home.length)}` : file;
    return { state, line: line ?? null, file: shown ?? null };
  }

  /**
   * Appends the line to the start file, once.
   * @throws an Error for the user, if there is no such file for this shell or it cannot be changed
   */
  connect(): void {
    const { line, file } = this.#startLine();
    if (line === undefined || file === undefined)
      throw new Error("Patchbay does not know the start file of your shell.");
    try {
      const before = read(file);
      if (before.includes(line)) return;
      mkdirSync(path.dirname(file), { recursive: true });
      const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
      // Appended: a start file is often a link into a folder under version control.
      appendFileSync(file, `${gap}# The command line of Patchbay\n${line}\n`);
    } catch (error) {
      const why = errorText(error);
      throw new Error(`The line could not be added: ${why}. Copy it, and add it yourself.`);
    }
  }

  /** Neither on Windows, nor where the folder cannot stand in PATH; no file for a shell that is not known. */
  #startLine(): { line?: string; file?: string } {
    const { environment, home, platform, folder } = this.#options;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may have them, a line may not
    if (platform === "win32" || /[:\u0000-\u001f]/.test(folder)) return {};
    const posix = `export PATH=${quoted(folder)}:"$PATH"`;
    switch (shellKindOf(findLoginShell(environment, platform))) {
      case "bash":
        // Terminals of macOS start login shells, which do not read .bashrc.
        return { line: posix, file: path.join(home, platform === "darwin" ? ".bash_profile" : ".bashrc") };
      case "zsh":
        return { line: posix, file: path.join(environment.ZDOTDIR || home, ".zshrc") };
      case "fish": {
        const config = environment.XDG_CONFIG_HOME || path.join(home, ".config");
        const escaped = folder.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
        const file = path.join(config, "fish", "conf.d", "patchbay.fish");
        return { line: `fish_add_path -p '${escaped}'`, file };
      }
      case "other":
        return { line: posix };
    }
  }

  /** Whether the first program of this name in PATH is this program's own. */
  #isFound(name: string): boolean {
    const { environment, folder } = this.#options;
    // Patchbay's own shells find it in any case, also those from which it was started.
    const given = environment.SERVICE_SHELL_ID === undefined ? undefined : folder;
    const folders = (environment.PATH ?? "")
      .split(path.delimiter)
      .filter((one) => path.isAbsolute(one) && one !== given);
    const first = folders.map((one) => path.join(one, name)).find((file) => existsSync(file));
    const own = path.join(folder, name);
    return first !== undefined && existsSync(own) && realpathSync(first) === realpathSync(own);
  }
}

/** The text of a file; empty if there is none. */
function read(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
