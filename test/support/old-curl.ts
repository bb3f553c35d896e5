import { chmodSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What came to curl after 7.58, by the version that brought it, as its documentation says. */
const OPTIONS: Readonly<Record<string, number>> = {
  "--http0.9": 64,
  "--parallel": 66,
  "--no-progress-meter": 67,
  "--retry-all-errors": 71,
  "--output-dir": 73,
  "--create-file-mode": 75,
  "--fail-with-body": 76,
  "--json": 82,
  "--rate": 84,
  "--url-query": 87,
};
const VARIABLES: Readonly<Record<string, number>> = { stderr: 63, stdout: 63, json: 72, exitcode: 75, errormsg: 75 };
const HEADER_VARIABLE = 84;

/**
 * Puts a stand-in for an old curl (7.`minor`), which no archive has any more, into a folder: the real one, without what
 * that version did not know. An unknown option ends it, an unknown `%{variable}` is told on stderr and left out, and
 * `%header{name}` is printed as it stands. Every argument is a line of the file `log`.
 */
export function oldCurl(folder: string, { minor, real, log }: { minor: number; real: string; log?: string }): void {
  const newer = (table: Readonly<Record<string, number>>) =>
    Object.entries(table).flatMap(([name, since]) => (since > minor ? [name] : []));
  const unknown = newer(VARIABLES).map(
    (name) => `*"%{${name}}"*) echo "curl: unknown --write-out variable: '${name}'" >&2 ;;`,
  );
  const script = `#!/bin/bash
[ "$1" = --version ] && { echo "curl 7.${minor}.0"; exit; }
${log === undefined ? "" : `printf '%s\\n' "$@" >>'${log}'`}
args=() format=
for word; do
  if [ -n "$format" ]; then
    case $word in ${["", ...unknown].join("\n      ")} esac
    ${newer(VARIABLES)
      .map((name) => `word=\${word//"%{${name}}"/}`)
      .join("\n    ")}
    ${HEADER_VARIABLE > minor ? `word=\${word//"%header{"/"%%header{"}` : ""}
    format=
  fi
  case $word in
    ${newer(OPTIONS).join(" | ")}) echo "curl: option $word: is unknown" >&2; exit 2 ;;
    -w | --write-out) format=yes ;;
  esac
  args+=("$word")
done
exec ${real} "\${args[@]}"
`;
  write(folder, script);
}

/** Puts a curl that cannot do what it is asked to into a folder: built without Unix sockets, for example. */
export function uselessCurl(folder: string): void {
  write(folder, '#!/bin/sh\necho "curl: option --unix-socket: is unknown" >&2\nexit 2\n');
}

/** Returns the file of a program on the PATH. */
export function whereIs(tool: string): string {
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, tool));
  const found = places.find((place) => statSync(place, { throwIfNoEntry: false }) !== undefined);
  if (found === undefined) throw new Error(`${tool} is not installed`);
  return found;
}

function write(folder: string, script: string): void {
  const file = join(folder, "curl");
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}
