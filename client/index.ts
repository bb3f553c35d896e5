/**
 * The public face of the package's `patchbay/client`: a typed client of a running relay.
 *
 *     const client = new RemoteClient({ url: "http://127.0.0.1:7717", token, session: "default" });
 *     const { shellId } = await client.call("createShell", { exec: ["npm", "test"], hold: true });
 *     const shells = await client.get("shells");
 *     for await (const event of client.output(shellId)) console.log(event);
 *     for await (const event of client.events({ types: ["shell.exited"] })) console.log(event);
 */

export { RelayUnreachable } from "../client/errors.ts";
export type { SessionEvent } from "../client/event-stream.ts";
export {
  type CallHit,
  type CallOptions,
  type EventOptions,
  RemoteClient,
  type RemoteClientOptions,
  type WhoAmI,
} from "../client/remote-client.ts";
export type { MethodName, Params, Result } from "../core/commands/specs.ts";
export { type ErrorCode, httpStatusOf, RemoteError } from "../core/protocol/errors.ts";
export type { OutputEvent } from "../core/protocol/output-events.ts";
