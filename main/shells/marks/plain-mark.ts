import type { MarkMessage } from "../../../core/protocol/terminal-signals.ts";

/**
 * The standard form of a mark (OSC 133) for terminals that draw the output. Patchbay never trusts it.
 * @param at milliseconds since 1970: start and end of a command say when they were, for output that is read later
 */
export function plainMark(mark: MarkMessage, at: number): Buffer {
  return Buffer.from(`\u001b]133;${words(mark, Math.floor(at))}\u0007`);
}

function words(mark: MarkMessage, at: number): string {
  switch (mark.kind) {
    case "prompt":
      return "A";
    case "prompt-end":
      return "B";
    case "command-start":
      return `C;t=${at}`;
    case "command-end":
      return `D;${mark.exitCode ?? ""};t=${at}`;
  }
}
