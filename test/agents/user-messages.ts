import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The users' messages in the transcripts below a home folder, by agent. */
export const userMessages = {
  /** Those that reached the model in the middle of a turn included. */
  claude: (home: string) =>
    recordsBelow(join(home, ".claude", "projects"))
      .flatMap(({ type, message, attachment }) => {
        if (attachment?.type === "queued_command") return [String(attachment.prompt)];
        return type === "user" && typeof message.content === "string" ? [message.content] : [];
      })
      .map((text) => text.replace(/<\/?pasted_content[^>]*>/g, "").trim()),
  codex: (home: string) =>
    recordsBelow(join(home, ".codex", "sessions")).flatMap(({ payload }) =>
      payload?.type === "item_completed" && payload.item.type === "UserMessage" ? [joined(payload.item.content)] : [],
    ),
  /** It writes a message again, with the same id, when something of it changes. */
  gemini: (home: string) => {
    const written = recordsBelow(join(home, ".gemini", "tmp")).filter(({ type }) => type === "user");
    return [...new Map(written.map(({ id, content }) => [id, joined(content)])).values()];
  },
} as const;

/** The lines of all files, without one that an agent was killed in. */
function recordsBelow(folder: string) {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return files
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line));
}

function joined(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === "string" ? part : String(part.text))).join("");
}
