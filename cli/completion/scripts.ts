import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionModel } from "./model.ts";
import { zshScript } from "./zsh.ts";

/** The completion scripts as the shells find them in a system's folders, by the shell's name. */
export function systemCompletions(): Readonly<Record<"bash" | "zsh" | "fish", string>> {
  const model = completionModel();
  return { bash: bashScript(model), zsh: asAutoloadFunction(zshScript(model)), fish: fishScript(model) };
}

/**
 * zsh runs such a file as the function that it is named after, at the first completion: it then has to complete too.
 * `service` is left to the system's own completion until then.
 */
function asAutoloadFunction(script: string): string {
  return `${script.replace(/^#compdef .*/, "#compdef patchbay")}_patchbay "$@"\n`;
}
