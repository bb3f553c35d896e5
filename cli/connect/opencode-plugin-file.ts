import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { writeAtomically } from "../../main/system/write-atomically.ts";
import { type claudeSettingsFile, readRegularFile, refusal, refuseLink, type SettingsScope } from "./agent-settings.ts";

/**
 * Returns opencode's plugin of a scope (https://opencode.ai/docs/plugins), as `claudeSettingsFile`. Every version loads the
 * folder `plugin`; those before 1.1 refuse to start where there is one called `plugins`.
 */
export function opencodePluginFile(
  scope: SettingsScope,
  { env, cwd }: Parameters<typeof claudeSettingsFile>[1],
): string {
  const config =
    env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "opencode");
  return join(scope === "project" ? join(cwd, ".opencode") : config, "plugin", "patchbay.js");
}

/** The plugin that opencode loads: outside of Patchbay's shells it does nothing. */
export const opencodeLoader = `// Lets the questions of opencode be answered through Patchbay. Does something in Patchbay's shells only.
// Added by \`agents connect opencode\`; \`agents disconnect opencode\` removes it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const Patchbay = async (input) => {
  const { PATCHBAY_DATA, SERVICE_TOKEN } = process.env;
  if (!PATCHBAY_DATA || !SERVICE_TOKEN) return {};
  try {
    const { connect } = await import(pathToFileURL(join(PATCHBAY_DATA, "opencode-plugin.mjs")).href);
    return connect(input);
  } catch {
    return {};
  }
};
`;
const LOADER_MARK = /^\/\/ Lets the questions of opencode be answered through Patchbay\./;

/** What has to be done to a plugin's file. */
interface PluginChange {
  readonly file: string;
  /** `changed`: Patchbay's own in another version, or where an earlier one has put it. */
  readonly state: "as it should be" | "changed" | "missing";
  write(): void;
  remove(): void;
}

/** Plans a change of opencode's plugin. @throws CliError for a file of another program, a link, or one in a linked folder */
export function planPlugin(file: string): PluginChange {
  const config = dirname(dirname(file));
  // Where Patchbay put it before version 0.1: opencode 1.1 and later would load both.
  const former = join(config, "plugins", basename(file));
  refuseLink(config);
  const [text, formerText] = [ownPlugin(file), ownPlugin(former)];
  const checkAgain = () => {
    refuseLink(config);
    ownPlugin(file);
    ownPlugin(former);
  };
  const isAsItShouldBe = text === opencodeLoader && formerText === undefined;
  return {
    file,
    state: isAsItShouldBe ? "as it should be" : text === undefined && formerText === undefined ? "missing" : "changed",
    write() {
      // The user was asked meanwhile, and other programs may have written there.
      checkAgain();
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeAtomically(file, opencodeLoader);
      if (formerText !== undefined) removePlugin(former);
    },
    remove() {
      checkAgain();
      for (const place of [file, former]) removePlugin(place);
    },
  };
}

/** Returns the text of Patchbay's plugin; undefined where there is no file. @throws CliError as `planPlugin` */
function ownPlugin(file: string): string | undefined {
  refuseLink(dirname(file));
  refuseLink(file);
  const text = readRegularFile(file)?.text;
  if (text !== undefined && !LOADER_MARK.test(text))
    throw refusal(`${file} is another program's plugin, so nothing was changed.`);
  return text;
}

/** Removes a plugin, and its folder where nothing else is in it. */
function removePlugin(file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // It has other plugins, or is not there.
  }
}
