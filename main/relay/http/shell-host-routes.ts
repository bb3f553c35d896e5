import express, { type Request, type Router } from "express";
import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { parseParams } from "../../../core/protocol/parse-params.ts";
import { sendJson } from "../net/send.ts";
import type { ShellHostPort } from "../session/ports.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Auth } from "./auth.ts";
import { jsonBody } from "./json-body.ts";
import { queryOf } from "./query.ts";

export const ShellHostState = z.object({
  state: z
    .enum(["none", "starting", "running", "hung"])
    .describe("`none`: it starts with the first shell. `hung`: it has not answered for 5 s or more"),
  pid: z.int().nullable(),
  silentMs: z.int().describe("for how long it has owed an answer"),
});

export const RestartBody = z.object({
  force: z.boolean().default(false).describe("also while shells run, which end with it"),
});

export const Restarted = z.object({
  pid: z.int().nullable(),
  ended: z.array(z.object({ session: SessionId, shellId: ShellId, title: z.string() })),
});

interface Parts {
  readonly sessions: Sessions;
  readonly auth: Auth;
  readonly shellHost: ShellHostPort;
  /** Whose relay it is. */
  readonly user: string;
}

/** `GET /v1/shell-host` and `POST /v1/shell-host/restart`: the process that holds the shells. */
export function shellHostRoutes({ sessions, auth, shellHost, user }: Parts): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/", async (request, response) => {
    checkUser((await auth.apiKey(request, "getShellHost")).user, user);
    queryOf(request);
    sendJson(response, { result: shellHost.status() });
  });
  // It ends the shells of all sessions, so it takes a key without restrictions.
  router.post("/restart", async (request: Request, response) => {
    checkUser((await auth.apiKey(request)).user, user);
    queryOf(request);
    const { force } = parseParams(RestartBody, await jsonBody(request, response), "body");
    const running = runningShells(sessions);
    if (!force && running.length > 0) throw wouldEnd(running);
    await shellHost.restart();
    sendJson(response, { result: { pid: shellHost.status().pid, ended: running } });
  });
  return router;
}

function checkUser(user: string, owner: string): void {
  if (user !== owner) throw new RemoteError("not_owner", "Only the relay's owner may do this.");
}

function runningShells(sessions: Sessions): z.infer<typeof Restarted>["ended"] {
  return sessions
    .all()
    .flatMap((session) =>
      session.facts.now.shells
        .filter((shell) => shell.running)
        .map(({ id: shellId, title }) => ({ session: session.id, shellId, title })),
    );
}

function wouldEnd(running: z.infer<typeof Restarted>["ended"]): RemoteError {
  const names = running.map(({ session, shellId, title }) => `${shellId} (${title}) of session ${session}`);
  return new RemoteError(
    "invalid_request",
    `These shells run and would end: ${names.join(", ")}. Close them first, or restart with \`force\`.`,
  );
}
