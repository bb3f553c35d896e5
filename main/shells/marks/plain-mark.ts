import type { MarkMessage } from "../../../core/protocol/shell-host.ts";

/** The standard form of a mark (OSC 133) for terminals that draw the output. Patchbay never trusts it. */
export function plainMark(mark: MarkMessage): Buffer {
  return Buffer.from(`\u001b]133;${words(mark)}\u0007`);
}

function words(mark: MarkMessage): string {
  switch (mark.kind) {
    case "prompt":
      return "A";
    case "prompt-end":
      return "B";
    case "command-start":
      return "C";
    case "command-end":
      return mark.exitCode === null ? "D" : `D;${mark.exitCode}`;
  }
}
