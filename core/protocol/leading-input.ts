import type { MessageTool } from "./conversations.ts";

/** Names of the argument that leads in a tool's input, of which the first one counts. */
const LEADING = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "absolute_path",
  "path",
  "pattern",
  "query",
  "url",
  "prompt",
];

/** Returns the argument by which people know a tool call, such as its command or its file; else all of them as JSON. */
export function leadingInput(input: MessageTool["input"]): string {
  if (typeof input === "string") return input;
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    for (const name of LEADING) if (typeof input[name] === "string") return input[name];
  }
  return JSON.stringify(input);
}
