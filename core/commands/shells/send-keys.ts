import { z } from "zod";
import { keyInput } from "../../protocol/key-input.ts";
import { relayOps } from "../../protocol/relay-ops.ts";
import { command } from "../command.ts";
import { guarded } from "../fields.ts";
import { resolveShellOrSource, shellOrOwnTarget } from "./resolve-shell.ts";

export const sendKeys = command({
  area: "shells",
  summary: "Press keys in a shell, by their names, and type text",
  details:
    "A word is the name of a key (Enter, Tab, Escape, Space, Backspace, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, Delete, F1 to F20; letter case does not matter), a key with modifiers (C-c, M-x, S-Tab, C-M-Left, ctrl+shift+up, ^D), or text, which is typed as it is. Nothing is put between the words. Cursor keys are sent as the program has asked for them (application cursor mode). With `literal` every word is text.",
  params: z.object({
    ...shellOrOwnTarget,
    keys: relayOps.sendKeys.params.shape.keys.meta({ description: "names of keys, and text", examples: [["C-c"]] }),
    literal: z.boolean().default(false).describe("type the words as text, also those that name keys"),
    ...guarded,
  }),
  result: relayOps.sendKeys.result,
  role: "writer",
  scope: "session",
  touches: { shell: "id" },
  sensitive: ["keys"],
  cli: [
    {
      name: "send-keys",
      args: ["id", "keys"],
      rest: true,
      note: "The first word is the shell's id where it is a number and more words follow; with --match all words are keys.",
      examples: ["send-keys 1 C-c", "send-keys 1 'make test' Enter", "send-keys --match title:vim Escape :wq Enter"],
    },
  ],
  run(context, { id, match, keys, literal, guard, expect }) {
    // Validates the keys before any is sent. The shell host encodes them again for the terminal's actual mode.
    keyInput(keys, literal, { applicationCursor: false });
    const shell = resolveShellOrSource(context, { id, match }).id;
    return context.ask("sendKeys", { shell, keys, literal, guard, expect });
  },
});
