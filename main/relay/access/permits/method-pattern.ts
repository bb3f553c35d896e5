import { methodNames, specs } from "../../../../core/commands/specs.ts";
import { operationNames } from "../../../../core/operations/index.ts";
import { streamAccess } from "./stream-access.ts";

/** Returns whether a name matches a pattern, in which `*` stands for any characters. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return name === first;
  const last = parts.pop() ?? "";
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Returns the names under which patterns match a method: its own, and those on the command line, so that `list*` matches
 * `list-shells` too.
 */
export function namesOf(method: string): readonly string[] {
  const spec = Object.hasOwn(specs, method) ? specs[method as keyof typeof specs] : undefined;
  return [method, ...(spec?.cli.map(({ name }) => name) ?? [])];
}

/** Returns every name that a pattern can match. */
export function patternNames(): readonly string[] {
  return [...methodNames.flatMap(namesOf), ...operationNames, ...Object.keys(streamAccess)];
}
