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
  /**
   * After a cancelled turn it writes its history again under new ids, which a `$set` line then lists: of those, only what is
   * new counts.
   */
  gemini: (home: string) => {
    const records = recordsBelow(join(home, ".gemini", "tmp"));
    const again = new Set(records.flatMap(({ $set }) => ($set?.messages ?? []).map(({ id }: { id: string }) => id)));
    const written = records.filter(({ type }) => type === "user");
    const first = new Set(written.filter(({ id }) => !again.has(id)).map(({ content }) => joined(content)));
    return written
      .map(({ id, content }) => ({ isAgain: again.has(id), text: joined(content) }))
      .flatMap(({ isAgain, text }) => (isAgain && first.has(text) ? [] : [text]));
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
