import type { ShellExit } from "./pty.ts";
import type { Shell } from "./shell.ts";

/** What is true of a shell that a host holds, for whoever takes the host up again. */
export interface KeptShell {
  readonly id: number;
  readonly pid: number;
  /** The program that was started. */
  readonly command: string;
  /** As its programs set it; empty when none did. */
  readonly title: string;
  readonly cwd: string;
  /** The program in the foreground; null at the prompt. */
  readonly process: string | null;
  readonly cols: number;
  readonly rows: number;
  /** When it last printed anything, in milliseconds since 1970. */
  readonly activeAt: number;
  /** Null while it runs. */
  readonly exit: ShellExit | null;
}

export function keptShell({
  id,
  pid,
  program,
  title,
  cwd = "",
  process,
  screen,
  exit,
  lastOutputAt,
}: Shell): KeptShell {
  const activeAt = Math.round(Date.now() - (performance.now() - lastOutputAt));
  return { id, pid, command: program, title, cwd, process, ...screen.size, activeAt, exit };
}
