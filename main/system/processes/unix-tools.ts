import { execFile, execFileSync } from "node:child_process";

/** What `ps` prints, in the C locale. Rejects when it fails or takes more than 5 s. */
export function ps(args: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, LC_ALL: "C" }, maxBuffer: 32 * 1024 * 1024, timeout: 5000 };
  return new Promise((resolve, reject) => {
    execFile("ps", [...args], options, (error, out) => (error === null ? resolve(out) : reject(error)));
  });
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
