import type { Options } from "./options.ts";

interface Up {
  readonly url: string;
  readonly session: string;
  readonly options: Pick<Options, "data" | "ownData">;
}

/** What a user reads when the relay is up: where it is, and three lines to try, which work as printed. */
export function nextSteps({ url, session, options }: Up, folder = process.env.PATCHBAY_BIN): string {
  const bin = folder === undefined ? "" : `${folder}/`;
  const data = options.ownData ? ` --data ${quoted(options.data)}` : "";
  return [
    `Patchbay is up at ${url}`,
    `Session default: ${session}`,
    "",
    "Try next, in a second terminal:",
    `  export SERVICE_TOKEN=$(${bin}patchbay keys create --name me${data})`,
    `  curl -H "X-Service-Token: $SERVICE_TOKEN" ${url}/v1/sessions/${session}/remote/shells`,
    `  ${bin}service func create-shell --url ${url} --session ${session}`,
    "",
  ].join("\n");
}

/** For a POSIX shell, only where it is needed. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
