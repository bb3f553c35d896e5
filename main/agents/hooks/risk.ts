import { isAbsolute, normalize, relative, resolve } from "node:path";
import { type QuestionRisk, questionLimits } from "../../../core/protocol/questions.ts";
import { type CommandWord, LINES, wordsOf } from "./command-words.ts";

/** What a tool call would do, as far as the agent told. */
interface Action {
  readonly command?: string | undefined;
  /** Files that it writes. */
  readonly files?: readonly string[];
  /** Files and folders that it only reads. */
  readonly reads?: readonly string[];
  readonly usesNetwork?: boolean;
  readonly cwd: string;
}

interface Finding {
  readonly level: QuestionRisk["level"];
  readonly reason: string;
}

interface Rule extends Finding {
  readonly fits: (words: readonly CommandWord[], command: string) => boolean;
}

/** The risk of a tool call of which nothing else is known. */
export const UNKNOWN_ACTION: QuestionRisk = { level: "high", reasons: ["what it does is not known"] };

const OTHER_USERS = new Set(["sudo", "doas", "su", "pkexec"]);
const REMOVERS = new Set(["rm", "rmdir", "unlink", "shred", "truncate", "dd"]);
const NETWORK = new Set(["curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "telnet", "ftp"]);
const RUNNERS = new Set(["eval", "xargs"]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash"]);
const PACKAGE_MANAGERS = /(?:npm|pnpm|yarn|pip3?|cargo|go|gem|apt(?:-get)?|brew|docker|npx|uvx?)$/;
const PACKAGE_VERBS = /^(?:i|install|add|ci|get|pull|push|publish|update|upgrade|run)\b/;

/** A command may be told in any form, so each rule takes the words as they stand, whatever is quoted or joined. */
const rules: readonly Rule[] = [
  { level: "high", reason: "uses sudo", fits: (words) => names(words, (name) => OTHER_USERS.has(name)) },
  { level: "high", reason: "deletes files", fits: deletes },
  { level: "high", reason: "runs what it downloads", fits: runsDownload },
  { level: "high", reason: "rewrites published history", fits: forcesPush },
  { level: "medium", reason: "uses the network", fits: usesNet },
  { level: "medium", reason: "runs text as a command", fits: runsText },
];

/** Programs that only read, where nothing is redirected or substituted. */
const READS =
  /^\s*(?:(?:cat|head|tail|grep|rg|ls|pwd|echo|wc|stat|file|which|du|df|date|tree|sort|uniq|cut|true)\b|git\s+(?:status|log|diff|show|blame)\b)[^<>`$]*$/;

const levels = ["low", "medium", "high"] as const;

/**
 * Estimates the risk of a tool call from its words. An estimate for people who decide, no protection: a command can do
 * what its words do not show. Takes time linear in the command, of which no more is read than a question can show.
 */
export function assessRisk({
  command,
  files = [],
  reads = [],
  usesNetwork = false,
  cwd: folder,
}: Action): QuestionRisk {
  const found: Finding[] = [];
  const cwd = folder.length > questionLimits.path ? "" : folder;
  if (command !== undefined) found.push(...assessCommand(command, cwd));
  if (files.length > 0) found.push({ level: "medium", reason: "writes files" });
  if (files.some((path) => isOutside(path, cwd))) found.push({ ...OUTSIDE, level: "high" });
  if (reads.some((path) => isOutside(path, cwd))) found.push(OUTSIDE);
  if (usesNetwork) found.push({ level: "medium", reason: "uses the network" });
  return joinRisks(...found.map(({ level, reason }) => ({ level, reasons: [reason] })));
}

/** Returns the highest of several risks, with all their reasons. */
export function joinRisks(...risks: readonly QuestionRisk[]): QuestionRisk {
  const level = levels.findLast((candidate) => risks.some((one) => one.level === candidate)) ?? "low";
  return { level, reasons: [...new Set(risks.flatMap(({ reasons }) => reasons))] };
}

function assessCommand(given: string, cwd: string): Finding[] {
  const command = given.slice(0, questionLimits.command);
  const words = wordsOf(command);
  const found: Finding[] = rules.filter(({ fits }) => fits(words, command));
  if (pathsIn(command).some((path) => isOutside(path, cwd))) found.push(OUTSIDE);
  if (command.length < given.length) found.push({ level: "high", reason: "longer than what is shown" });
  if (found.length === 0 && !command.split(/[;&|\n]+/).every((part) => READS.test(part)))
    found.push({ level: "medium", reason: "runs a program" });
  return found;
}

/** Whether a program of such a name may be started: the name stands where one can begin. */
function names(words: readonly CommandWord[], isOne: (name: string) => boolean): boolean {
  return words.some(({ heads }) => heads.some(isOne));
}

function deletes(words: readonly CommandWord[], command: string): boolean {
  if (names(words, (name) => REMOVERS.has(name) || /^mkfs\w*$/.test(name))) return true;
  if (/\s-delete\b/.test(command)) return true;
  const git = words.findIndex(isGit);
  if (git < 0) return false;
  return words.some(({ text }, at) => {
    const [before = "", first = ""] = [words[at - 1]?.text, words[at - 2]?.text];
    if (at <= git) return false;
    if (/^(?:clean|restore)\b/.test(text)) return true;
    if (at - 1 <= git) return false;
    if (before === "reset" && /^--hard\b/.test(text)) return true;
    if (before === "checkout" && text.startsWith("--")) return true;
    return before === "branch" && first.endsWith("git") && /^-D\b/.test(text);
  });
}

/** Whether what one program of a line downloads is passed on to a shell. */
function runsDownload(words: readonly CommandWord[], command: string): boolean {
  const downloads = command.split(LINES).map((line) => /\b(?:curl|wget)\b/.exec(line)?.index);
  return words.some(({ text, line, column }, at) => {
    const from = downloads[line];
    const first = from === undefined ? -1 : text.indexOf("|", Math.max(0, from - column));
    if (first < 0) return false;
    if (/sh\b/.test(text.slice(first + 1))) return true;
    const last = text.slice(text.lastIndexOf("|") + 1);
    const [next = "", second = ""] = [words[at + 1]?.text, words[at + 2]?.text];
    if (last === "sudo") return /sh\b/.test(next);
    return last === "" && (/sh\b/.test(next) || (next === "sudo" && /sh\b/.test(second)));
  });
}

function forcesPush(words: readonly CommandWord[]): boolean {
  let pushed = Number.NaN;
  return words.some(({ text, line, isFirst }, at) => {
    // On the line of the push, or where that goes on in the next one.
    if (/^(?:-f|--force)/.test(text) && (line === pushed || (isFirst && line === pushed + 1))) return true;
    const before = words[at - 1];
    if (before !== undefined && isGit(before) && /^push\b/.test(text)) pushed = line;
    return false;
  });
}

function usesNet(words: readonly CommandWord[], command: string): boolean {
  return (
    names(words, (name) => NETWORK.has(name)) ||
    followed(words, isGit, /^(?:push|pull|fetch|clone)\b/) ||
    followed(words, ({ text }) => PACKAGE_MANAGERS.test(text), PACKAGE_VERBS) ||
    /https?:\/\//.test(command)
  );
}

function runsText(words: readonly CommandWord[]): boolean {
  if (names(words, (name) => RUNNERS.has(name))) return true;
  return words.some(({ last }, at) => SHELLS.has(last) && /^-c(?![\w-])/.test(words[at + 1]?.text ?? ""));
}

/** Whether a word of the second kind comes after one of the first, wherever. */
function followed(words: readonly CommandWord[], isFirst: (word: CommandWord) => boolean, second: RegExp): boolean {
  const from = words.findIndex(isFirst);
  return from >= 0 && words.some(({ text }, at) => at > from && second.test(text));
}

function isGit({ text }: CommandWord): boolean {
  return text.endsWith("git");
}

const OUTSIDE = { level: "medium", reason: "outside the folder" } as const;

function pathsIn(command: string): string[] {
  const words = command.split(/[\s"'`=;|&()<>]+/).filter((word) => /^(\/|~|\.\.(\/|$))/.test(word));
  return [...new Set(words)];
}

function isOutside(path: string, cwd: string): boolean {
  if (path.startsWith("~") || path.length > questionLimits.path) return true;
  if (/^\/(dev\/(null|stdout|stderr|tty)|usr\/bin|bin|usr\/local\/bin)(\/|$)/.test(path)) return false;
  if (cwd === "") return isAbsolute(path) || path.startsWith("..");
  const way = relative(cwd, resolve(cwd, normalize(path)));
  return way.startsWith("..") || isAbsolute(way);
}
