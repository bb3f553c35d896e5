import { execFile, execFileSync } from "node:child_process";

/** Returns how `ps` runs: in the C locale and in UTC, so that neither a setting nor summer time changes a start time. */
function psOptions() {
  return { env: { ...process.env, LC_ALL: "C", TZ: "UTC" }, maxBuffer: 32 * 1024 * 1024, timeout: 5000 };
}

/** Returns what `ps` prints. Rejects when it fails or takes more than 5 s. */
export function ps(args: readonly string[]): Promise<string> {
  const options = psOptions();
  return new Promise((resolve, reject) => {
    execFile("ps", [...args], options, (error, out) => (error === null ? resolve(out) : reject(error)));
  });
}

/** Returns what `ps` prints, blocking; "" when it fails, as it does for a process that is not there. */
function psSync(args: readonly string[]): string {
  try {
    return execFileSync("ps", [...args], { ...psOptions(), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

/** Columns of `lstart`: `Sat Nov 21 03:39:51 2026`. A day before the tenth has two blanks before it. */
export const START_COLUMNS = 5;

/** Returns a start time as this program keeps it. @param columns those of `lstart` */
export function startOf(columns: readonly string[]): string {
  return columns.join(" ");
}

/** Returns when a process started, as `startOf` does; undefined where `ps` does not tell. */
export function startByPs(pid: number): string | undefined {
  const line = psColumns(psSync(["-o", "lstart=", "-p", String(pid)]), START_COLUMNS);
  return line && startOf(line.columns);
}

/** What `lsof` prints. It exits with 1 when one of several processes has no such file, so the exit code is ignored. */
export function lsof(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile("lsof", [...args], { timeout: 5000, maxBuffer: 4 * 1024 * 1024 }, (_error, out) => resolve(out));
  });
}

/** As `lsof`, blocking for at most 2 s; "" when it fails. */
export function lsofSync(args: readonly string[]): string {
  try {
    return execFileSync("lsof", [...args], { encoding: "utf8", timeout: 2000, stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

/** The absolute paths in the output of `lsof -Fn`. */
export function lsofPaths(out: string): string[] {
  return out.split("\n").flatMap((line) => (line.startsWith("n/") ? [line.slice(1)] : []));
}

/** Returns so many columns of a line of ps, and what follows them; undefined for a line with fewer. */
export function psColumns(line: string, count: number): { columns: string[]; rest: string } | undefined {
  const column = /\s*(\S+)/y;
  const columns: string[] = [];
  let end = 0;
  while (columns.length < count) {
    const text = column.exec(line)?.[1];
    if (text === undefined) return undefined;
    columns.push(text);
    end = column.lastIndex;
  }
  return { columns, rest: line.slice(end).trimStart() };
}
