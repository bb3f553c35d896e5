/** What a user reads when the relay is up: where it is, and three lines to try, which work as printed. */
export function nextSteps({ url, session, program }: { url: string; session: string; program: string }): string {
  const base = `${url}/v1/sessions/${session}`;
  return [
    `Patchbay is up at ${url}`,
    `Session default: ${session}`,
    "",
    "Try next, in a second terminal:",
    `  export SERVICE_TOKEN=$(${program} keys create --name me)`,
    `  curl -H "X-Service-Token: $SERVICE_TOKEN" ${base}/remote/shells`,
    `  ${program.replace(/patchbay$/, "service")} func create-shell`,
    "",
  ].join("\n");
}
