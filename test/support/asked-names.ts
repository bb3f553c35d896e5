import { type AskableName, askSpec } from "../../core/commands/asked.ts";
import { methodNames } from "../../core/commands/specs.ts";
import { relayOps } from "../../core/protocol/relay-ops.ts";

/** Every name by which a client may ask the relay, with its declaration. */
export const asked = [...new Set([...Object.keys(relayOps), ...methodNames])].flatMap((name) => {
  const spec = askSpec(name);
  return spec === undefined ? [] : [{ name: name as AskableName, spec }];
});
