import { z } from "zod";
import { ShellId } from "../../../core/protocol/ids.ts";
import { type McpCaller, sessionsOf } from "./mcp-caller.ts";

/** Resources that a list names at most: a client may read others by their template. */
const MOST = 500;
/** Lines of a shell that a resource has: `getShellOutput` reads all. */
const OUTPUT_LINES = 2000;

export const resourceTemplates = [
  {
    uriTemplate: "patchbay://sessions/{session}/shells/{shell}",
    name: "shell output",
    title: "Output of a shell, as text",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "patchbay://sessions/{session}/commands",
    name: "commands",
    title: "The latest commands of a session's shells, where the history is recorded",
    mimeType: "application/json",
  },
  {
    uriTemplate: "patchbay://sessions/{session}/commands/{command}",
    name: "command output",
    title: "What a command of the history has printed, as text",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "patchbay://conversations/{agentSessionId}",
    name: "conversation",
    title: "The last messages of a conversation with an agent",
    mimeType: "application/json",
  },
] as const;

/** A resource, as the call that reads it. */
export interface ResourcePlace {
  readonly name: "getShellOutput" | "getCommands" | "getCommandOutput" | "getConversation";
  readonly params: object;
  readonly session?: string;
  /** The shell whose output it is. */
  readonly shell?: { readonly session: string; readonly shell: ShellId };
  readonly mimeType: string;
  /** Its changes are told to those who subscribe. */
  readonly isWatched: boolean;
  textOf(result: unknown): string;
}

/** Returns what reads a resource; undefined for an address that is none. */
export function placeOfResource(uri: string): ResourcePlace | undefined {
  const { hostname, pathname, protocol } = URL.canParse(uri) ? new URL(uri) : NOWHERE;
  if (protocol !== "patchbay:") return undefined;
  const [first = "", kind, id = "", ...more] = pathname.split("/").slice(1).map(decoded);
  if (hostname === "conversations" && first !== "" && kind === undefined)
    return {
      ...{ name: "getConversation", params: { agentSessionId: first } },
      ...{ mimeType: "application/json", isWatched: true, textOf: json },
    };
  if (hostname === "sessions" && kind === "commands" && more.length === 0) {
    return id === ""
      ? {
          name: "getCommands",
          params: {},
          session: first,
          mimeType: "application/json",
          isWatched: false,
          textOf: json,
        }
      : {
          ...{ name: "getCommandOutput", params: { id }, session: first },
          ...{ mimeType: "text/plain", isWatched: false, textOf: outputOf },
        };
  }
  const shell = /^\d{1,15}$/.test(id) ? ShellId.safeParse(Number(id)).data : undefined;
  if (hostname !== "sessions" || kind !== "shells" || shell === undefined || more.length > 0) return undefined;
  return {
    name: "getShellOutput",
    params: { id: shell, plain: true, lines: OUTPUT_LINES },
    session: first,
    shell: { session: first, shell },
    mimeType: "text/plain",
    isWatched: true,
    textOf: outputOf,
  };
}

/** Lists the output of every shell that a caller may read. Commands and conversations are read by their templates. */
export async function listResources(caller: McpCaller, gone: AbortSignal) {
  const resources = [];
  for (const session of await sessionsOf(caller, gone)) {
    const outcome = await caller.call("getShells", {}, { session, gone });
    const shells = "error" in outcome ? [] : Shells.parse(outcome.value);
    for (const { id, title } of shells) {
      if (resources.length === MOST) return resources;
      const uri = `patchbay://sessions/${encodeURIComponent(session)}/shells/${id}`;
      resources.push({ uri, name: `shell ${id}`, title, mimeType: "text/plain" });
    }
  }
  return resources;
}

const NOWHERE = { hostname: "", pathname: "", protocol: "" };
const Shells = z.array(z.object({ id: z.number(), title: z.string().optional() }));
const Output = z.object({ output: z.string() });

function outputOf(result: unknown): string {
  return Output.parse(result).output;
}

function json(result: unknown): string {
  return JSON.stringify(result);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
