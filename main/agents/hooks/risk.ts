import { isAbsolute, normalize, relative, resolve } from "node:path";
import type { QuestionRisk } from "../../../core/protocol/questions.ts";

/** What a tool call would do, as far as the agent told. */
interface Action {
  readonly command?: string | undefined;
  /** Files that it writes. */
  readonly files?: readonly string[];
  readonly usesNetwork?: boolean;
  readonly cwd: string;
}

interface Rule {
  readonly level: QuestionRisk["level"];
  readonly reason: string;
  readonly fits: RegExp;
}

/** Where a program's name can begin in a command line. */
const AT_COMMAND = String.raw`(?:^|[\s;&|(\`"'/])`;
const named = (names: string) => new RegExp(`${AT_COMMAND}(?:${names})(?![\\w-])`);

const rules: readonly Rule[] = [
  { level: "high", reason: "uses sudo", fits: named("sudo|doas|su|pkexec") },
  {
    level: "high",
    reason: "deletes files",
    fits: new RegExp(
      `${AT_COMMAND}(?:rm|rmdir|unlink|shred|truncate|mkfs[.\\w]*|dd)(?![\\w-])|\\s-delete\\b|git\\s+(?:\\S+\\s+)*?(?:clean|reset\\s+--hard|checkout\\s+--|restore)\\b|git\\s+branch\\s+-D\\b`,
    ),
  },
  { level: "high", reason: "runs what it downloads", fits: /\b(?:curl|wget)\b.*\|\s*(?:sudo\s+)?\S*sh\b/ },
  { level: "high", reason: "rewrites published history", fits: /git\s+push\b.*\s(?:-f|--force)/ },
  {
    level: "medium",
    reason: "uses the network",
    fits: new RegExp(
      `${AT_COMMAND}(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp)(?![\\w-])|git\\s+(?:\\S+\\s+)*?(?:push|pull|fetch|clone)\\b|(?:npm|pnpm|yarn|pip3?|cargo|go|gem|apt(?:-get)?|brew|docker|npx|uvx?)\\s+(?:\\S+\\s+)*?(?:i|install|add|ci|get|pull|push|publish|update|upgrade|run)\\b|https?://`,
    ),
  },
  { level: "medium", reason: "runs text as a command", fits: named("eval|xargs|(?:ba|z|da)?sh\\s+-c") },
];

/** Programs that only read, where nothing is redirected or substituted. */
const READS =
  /^\s*(?:(?:cat|head|tail|grep|rg|ls|pwd|echo|wc|stat|file|which|du|df|date|tree|sort|uniq|cut|true)\b|git\s+(?:status|log|diff|show|blame)\b)[^<>`$]*$/;

const levels = ["low", "medium", "high"] as const;

/**
 * Estimates the risk of a tool call from its words. An estimate for people who decide, no protection: a command can do
 * what its words do not show.
 */
export function assessRisk({ command, files = [], usesNetwork = false, cwd }: Action): QuestionRisk {
  const found: Pick<Rule, "level" | "reason">[] = [];
  if (command !== undefined) {
    found.push(...rules.filter(({ fits }) => fits.test(command)));
    if (pathsIn(command).some((path) => isOutside(path, cwd))) found.push(OUTSIDE);
    if (found.length === 0 && !command.split(/&&|\|\||[;|\n]/).every((part) => READS.test(part)))
      found.push({ level: "medium", reason: "runs a program" });
  }
  if (files.length > 0) found.push({ level: "medium", reason: "writes files" });
  if (files.some((path) => isOutside(path, cwd))) found.push({ ...OUTSIDE, level: "high" });
  if (usesNetwork) found.push({ level: "medium", reason: "uses the network" });
  const level = levels.findLast((candidate) => found.some((one) => one.level === candidate)) ?? "low";
  return { level, reasons: [...new Set(found.map(({ reason }) => reason))] };
}

const OUTSIDE = { level: "medium", reason: "outside the folder" } as const;

function pathsIn(command: string): string[] {
  return command.split(/[\s"'`=;|&()<>]+/).filter((word) => /^(\/|~|\.\.(\/|$))/.test(word));
}

function isOutside(path: string, cwd: string): boolean {
  if (path.startsWith("~")) return true;
  if (/^\/(dev\/(null|stdout|stderr|tty)|usr\/bin|bin|usr\/local\/bin)(\/|$)/.test(path)) return false;
  if (cwd === "") return isAbsolute(path) || path.startsWith("..");
  const way = relative(cwd, resolve(cwd, normalize(path)));
  return way.startsWith("..") || isAbsolute(way);
}
