import type { Agent } from "./agent-records.ts";
import type { Shell } from "./records.ts";

/** The facts about a shell that its name is made of. */
export type NamedShell = Pick<
  Shell,
  "id" | "title" | "titleFixed" | "cwd" | "home" | "command" | "commandLine" | "process" | "running" | "direct"
>;

/** What is known about a shell besides its record. */
export interface ShellContext {
  /** The user's label of a tile that shows the shell. */
  readonly label?: string | null | undefined;
  readonly agent?: Pick<Agent, "agentType" | "state" | "paused"> | undefined;
  /** The shells of the session: one that is named after its folder or its program has a number if others are, too. */
  readonly shells?: readonly Pick<Shell, "id" | "cwd" | "process" | "commandLine">[] | undefined;
}

type ShellPlace = Pick<Shell, "cwd" | "home">;

/** What a shell is called in the interface, and what its name leaves unsaid. */
export interface ShellDescription {
  readonly name: string;
  /**
   * The program's own title, the program, the last command of a shell at its prompt and the folder, as far as the name does
   * not say them. May be "".
   */
  readonly detail: string;
  /** The program in front; undefined at the prompt, and until the shell was looked at. */
  readonly program: string | undefined;
}

/**
 * Describes a shell. Its name is the first of these: the user's label; a title that was given with the shell; an agent's
 * task, or the agent; the program in front with its argument; a title that says more than user, host and folder; the
 * folder's last part. Agents, programs and folders have a number from the second shell on that is named the same.
 */
export function describeShell(shell: NamedShell, { label, agent, shells }: ShellContext = {}): ShellDescription {
  const path = shortPath(shell.cwd, shell.home);
  const folder = lastPart(path);
  const place = numbered(folder, shell, shells);
  const active = agent !== undefined && agent.state !== "ended" && agent.paused !== true ? agent.agentType : undefined;
  const program = active ?? programOf(shell);
  const title = shell.titleFixed === true ? "" : informativeTitle(shell, active ?? program);
  const name =
    nonEmpty(label) ??
    (shell.titleFixed === true ? nonEmpty(shell.title) : undefined) ??
    (active === undefined ? undefined : nonEmpty(title)) ??
    (program === undefined ? undefined : numberedProgram(program, { isAgent: active !== undefined, shell, shells })) ??
    nonEmpty(title) ??
    nonEmpty(place) ??
    nonEmpty(programName(shell.command)) ??
    `Shell ${shell.id}`;
  const said = name === place ? [name, folder] : [name];
  if (program !== undefined && name.startsWith(program)) said.push(program);
  const last = program === undefined && shell.running ? shell.commandLine : undefined;
  const rest = [title, program, last, path].filter((part) => part !== undefined && part !== "" && !said.includes(part));
  return { name, detail: rest.join(" · "), program };
}

/**
 * Tells shells in one folder apart. All of them count, whatever they run: so a command that starts or ends in one does
 * not rename the others.
 */
function numbered(folder: string, { id, cwd }: NamedShell, shells: ShellContext["shells"] = []): string {
  return withNumber(folder, shells.filter((other) => other.cwd === cwd && other.id < id).length);
}

/** Tells shells apart that run the same, as far as the name says. */
function numberedProgram(
  program: string,
  { isAgent, shell, shells = [] }: { isAgent: boolean; shell: NamedShell; shells: ShellContext["shells"] },
): string {
  const nameOf = (one: Pick<Shell, "commandLine">) => (isAgent ? program : withArgument(program, one));
  const name = nameOf(shell);
  const before = shells.filter(
    (other) => other.id < shell.id && other.process === shell.process && nameOf(other) === name,
  );
  return withNumber(name, before.length);
}

function withNumber(name: string, before: number): string {
  return before === 0 || name === "" ? name : `${name} · ${before + 1}`;
}

/** Returns a program with its first argument that is no option, without its folder: `vim hosts`. */
function withArgument(program: string, { commandLine = "" }: Pick<Shell, "commandLine">): string {
  const [simple = ""] = commandLine.split(/[|;&<>]/);
  const words = simple.split(/\s+/).filter((word) => word !== "");
  const at = words.findIndex((word) => programName(word) === program);
  const rest = at === -1 ? [] : words.slice(at + 1);
  // The word after a short option may be the value of the option.
  const argument = rest.find((word, index) => {
    const afterOption = /^-[^-]$/.test(rest[index - 1] ?? "") && index < rest.length - 1;
    return !word.startsWith("-") && !afterOption;
  });
  const plain = argument === undefined ? "" : lastPart(argument.replace(/^(["'])(.*)\1$/, "$2"));
  return plain === "" ? program : `${program} ${plain}`;
}

/** Shortens a path: the home folder becomes `~`, the given one, else those that are usual. */
export function shortPath(path: string, home?: string): string {
  const below = home !== undefined && home.length > 1 && path.startsWith(home) ? path.slice(home.length) : undefined;
  if (below !== undefined && /^(?=$|[/\\])/.test(below)) return `~${below}`;
  return path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\\Users\\[^\\]+)(?=$|[/\\])/, "~");
}

/** Returns the program of a command line, without its folder and arguments. */
export function programName(command: string): string {
  return command.split(" ")[0]?.split(/[/\\]/).at(-1) ?? command;
}

/** The program in front; a shell in a shell is none. What runs in place of a shell is in front from the start. */
function programOf({ running, process, direct, command }: NamedShell): string | undefined {
  if (direct === true) return nonEmpty((running ? process : undefined) ?? programName(command));
  const program = running ? nonEmpty(process) : undefined;
  return program === undefined || SHELL_NAMES.test(program) ? undefined : program;
}

/** Marks that programs turn or swap in front of their title: braille and quarter-circle spinners, stars, hourglasses. */
const MARK = "[\\u2800-\\u28ff\\u25a0-\\u25ff\\u2700-\\u27bf\\u231a-\\u23ff\\u2b50-\\u2b58·•∙⋅∗*]\\ufe0f?";
const LEADING_MARKS = new RegExp(`^(?:(?:${MARK})+(?:\\s+|$)|(?:[|/\\\\-]|\\[(?:\\s*[!.*x]\\s*|\\s+)\\])\\s+)+`, "u");
const ONLY_MARKS = new RegExp(`^(?:${MARK})+$`, "u");

/** Removes spinners and state marks around a title, which change while the title stays the same. */
export function withoutMarks(title: string): string {
  const rest = title.trim().replace(LEADING_MARKS, "");
  const words = [...rest.matchAll(/\S+/gu)];
  const last =
    words[
      Math.max(
        0,
        words.findLastIndex(({ 0: word }) => !ONLY_MARKS.test(word)),
      )
    ];
  return last === undefined ? "" : rest.slice(0, last.index + last[0].length);
}

/** An agent's words for its state, which its badge shows. */
const STATE_WORDS = /^(action required|ready|working|thinking|waiting|idle)(…|\.\.\.)?(?=$|[\s|:·(–—-])[\s|:·–—-]*/i;
const SHELL_NAMES = /^-?(ba|z|fi|da|k|mk|tc|c|a|xon|elvi|power)?sh(\.exe)?$|^(nu|elvish|pwsh|cmd)(\.exe)?$/;
/** Their titles come from another machine: user and host say where. */
const REMOTE_PROGRAMS = new Set(["ssh", "mosh", "mosh-client", "et", "autossh", "telnet"]);

/** Returns what a title says beyond program, user, host and folder; "" if nothing. */
function informativeTitle(shell: NamedShell, program: string | undefined): string {
  const cleaned = withoutMarks(shell.title);
  // A mark without its program is what an agent left behind.
  if (program === undefined && cleaned !== shell.title.trim()) return "";
  const spoken = program === undefined ? cleaned : cleaned.replace(STATE_WORDS, "");
  const title = withoutPlaceInBrackets(spoken, shell).trim();
  if (title === "" || (!REMOTE_PROGRAMS.has(program ?? "") && repeatsPlace(title, shell))) return "";
  return repeatsProgram(title, shell, program) ? "" : title;
}

function repeatsProgram(title: string, shell: NamedShell, program: string | undefined): boolean {
  const [first = "", ...others] = title.split(/\s+/);
  const rest = others.join(" ");
  const known = first === program || SHELL_NAMES.test(first) || programName(first) === programName(shell.command);
  if (known && (rest === "" || repeatsPlace(rest, shell) || /^-/.test(rest))) return true;
  const lower = title.toLowerCase();
  return program !== undefined && [program, `${program} code`, `${program} cli`].includes(lower);
}

/** `Ready (api)` becomes `Ready` in the folder `api`. */
function withoutPlaceInBrackets(title: string, place: ShellPlace): string {
  const [whole, inside = ""] = /\(([^()]*)\)$/.exec(title) ?? [];
  return whole !== undefined && isFolder(inside, place) ? title.slice(0, -whole.length).trimEnd() : title;
}

/** Reports whether a text names only the folder, or user and host, or all of them: `ann@vm: ~/src`, `[ann@vm]:~`. */
function repeatsPlace(text: string, place: ShellPlace): boolean {
  const plain = text.replace(/^\([^()]*\)\s*/, "");
  if (isFolder(plain, place)) return true;
  if (/^\[?[^\s@:]+@[^\s@:\]]+\]?$/.test(plain)) return true;
  const [, path] = /^\[?(?:[^\s@:]+@)?[^\s@:\]/~]+\]?:?\s*(.*)$/s.exec(plain) ?? [];
  return path !== undefined && path !== "" && /[@:]/.test(plain.slice(0, -path.length)) && isFolder(path, place);
}

/** Reports whether a text is the folder as prompts write it: whole, from `~` or `…` on, or only its last part. */
function isFolder(text: string, { cwd, home }: ShellPlace): boolean {
  if (text === cwd || text === shortPath(cwd, home) || text === lastPart(cwd)) return text !== "";
  const [, tail] = /^(?:~|\.\.\.|…)(.*)$/.exec(text) ?? [];
  return tail !== undefined && cwd.endsWith(tail);
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

function nonEmpty(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text.trim() === "" ? undefined : text;
}
