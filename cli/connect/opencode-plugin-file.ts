import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { writeAtomically } from "../../main/system/write-atomically.ts";
import { type claudeSettingsFile, readRegularFile, refusal, refuseLink, type SettingsScope } from "./agent-settings.ts";

/** Returns opencode's plugin of a scope (https://opencode.ai/docs/plugins), as `claudeSettingsFile`. */
export function opencodePluginFile(
  scope: SettingsScope,
  { env, cwd }: Parameters<typeof claudeSettingsFile>[1],
): string {
  const config =
    env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "opencode");
  return join(scope === "project" ? join(cwd, ".opencode") : config, "plugins", "patchbay.js");
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
export interface PluginChange {
  readonly file: string;
  /** `changed`: Patchbay's own in another version. */
  readonly state: "as it should be" | "changed" | "missing";
  write(): void;
  remove(): void;
}

/** Plans a change of opencode's plugin. @throws CliError for a file of another program, a link, or one in a linked folder */
export function planPlugin(file: string): PluginChange {
  refuseLink(dirname(dirname(file)));
  refuseLink(dirname(file));
  refuseLink(file);
  const text = readRegularFile(file)?.text;
  if (text !== undefined && !LOADER_MARK.test(text))
    throw refusal(`${file} is another program's plugin, so nothing was changed.`);
  return {
    file,
    state: text === undefined ? "missing" : text === opencodeLoader ? "as it should be" : "changed",
    write() {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeAtomically(file, opencodeLoader);
    },
    remove: () => rmSync(file, { force: true }),
  };
}
