import { z } from "zod";
import { givenName } from "../protocol/given-name.ts";
import { SessionRecord } from "../protocol/records.ts";
import { RestorableShell, RestoreWish } from "../protocol/restore.ts";
import { operation } from "./operation.ts";

const Name = givenName(200);
/** Not validated further: an id that no session has is `unknown_session`. */
export const SessionParam = z.string().describe("Id of the session.");

export const sessionOperations = {
  listSessions: operation({
    summary: "List your sessions",
    details: "Sessions of the key's owner; a shell's token sees its own session only.",
    params: z.object({}),
    result: z.array(SessionRecord),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions" },
    cli: {
      word: "sessions",
      action: "list",
      isDefault: true,
      allMachines: true,
      examples: ["sessions", "sessions --all"],
    },
  }),
  createSession: operation({
    summary: "Create a session",
    details: "Returns the new session.",
    params: z.object({ name: Name }),
    result: SessionRecord,
    access: "change",
    effect: "change",
    http: { method: "POST", path: "sessions", status: 201 },
    cli: { word: "sessions", action: "create", args: ["name"], examples: ["sessions create work"] },
    panel: true,
  }),
  renameSession: operation({
    summary: "Rename a session",
    details: "Returns the session with its new name.",
    params: z.object({ session: SessionParam, name: Name }),
    result: SessionRecord,
    access: "change",
    effect: "change",
    http: { method: "PATCH", path: "sessions/:session" },
    cli: { word: "sessions", action: "rename", args: ["session", "name"], examples: ["sessions rename work office"] },
    panel: true,
  }),
  openWindow: operation({
    summary: "Open a session's window in the app",
    details:
      "In the app that the relay runs in. The session may be one of another machine: a remote of the user, else a relay of the fleet, by its name. Only the named machine is asked for it. `state` is `key-wanted` where the app has no key for the machine: its panel asks for one, and opens the window then. A relay that runs without the app refuses (400 `invalid_request`).",
    params: z.object({
      target: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .describe("`MACHINE/SESSION`, such as box/default, or a session of this machine; sessions by name or id"),
    }),
    result: z.object({
      machine: z.string().describe("`local` for this machine"),
      session: z.string().describe("id of the session"),
      state: z.enum(["opened", "key-wanted"]),
    }),
    access: "unrestricted",
    owner: "relay",
    closedToAgents: true,
    effect: "change",
    http: { method: "POST", path: "windows" },
    cli: { word: "sessions", action: "open", args: ["target"], examples: ["sessions open box/default"] },
  }),
  restoreSession: operation({
    summary: "Start again what ran before a restart",
    details:
      "Shells that ended with the shell host, with the relay, or by a signal as when the system shuts down, and were not closed since. Nothing is started without `all` or `shell`: the offers are listed, each with the conversations that ran in it and their last prompt and answer. A shell starts with its program, folder and variables, in the same tile; its first command and what ran in it are not run again. Of its conversations the latest is resumed by the agent's own means, in its folder, with its account and its options; one that only folder and time speak for must be named (`conversation`). See docs/reliability.md.",
    params: RestoreWish.extend({ session: SessionParam }),
    result: z.array(RestorableShell),
    access: "change",
    closedToAgents: true,
    closedToAutomation: true,
    effect: "change",
    http: { method: "POST", path: "sessions/:session/restore" },
    cli: {
      word: "sessions",
      action: "restore",
      columns: ["shellId", "state", "title", "cwd", "program", "command", "lastPrompt", "why"],
      examples: [
        "sessions restore --dry-run",
        "sessions restore --all",
        "sessions restore --shell 3 --folder always",
        "sessions restore --shell 3 --conversation 3374e44a-3626-41a4-8b49-1220ae11de36",
      ],
    },
  }),
  closeSession: operation({
    summary: "Close a session for good, with its shells",
    details: "Returns the session as it was. `force: false` refuses while shells run in the session.",
    params: z.object({
      session: SessionParam,
      force: z.boolean().default(true).describe("close the session although shells run in it; they end"),
    }),
    result: SessionRecord,
    access: "change",
    effect: "change",
    http: { method: "DELETE", path: "sessions/:session" },
    cli: {
      word: "sessions",
      action: "close",
      args: ["session"],
      defaults: { force: false },
      examples: ["sessions close work --force"],
    },
    panel: true,
  }),
} as const;
