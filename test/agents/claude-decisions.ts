import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Decision {
  readonly rejected: boolean;
  readonly text: string;
}

/** Returns the records of the transcripts of Claude Code in a home folder. */
export function claudeRecords(home: string): string[] {
  const folder = join(home, ".claude", "projects");
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return files
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
}

/** Returns the results of the tool calls whose command contains `word`, from the transcripts of Claude Code in a home folder. */
export function claudeDecisions(home: string, word: string): Decision[] {
  const lines = claudeRecords(home);
  const calls = lines.flatMap((line) => [
    ...(/"type":"tool_use","id":"([^"]+)".*?"command":"([^"]*)"/g.exec(line) ?? []),
  ]);
  const ids = calls.flatMap((value, index) => (calls[index + 1]?.includes(word) ? [value] : []));
  return lines
    .filter(
      (line) =>
        line.includes('"type":"user","message"') &&
        line.includes('"type":"tool_result"') &&
        ids.some((id) => line.includes(`"${id}"`)),
    )
    .map((line) => ({ rejected: /"is_error":true/.test(line), text: line }));
}
