import type { AskableName } from "../../core/commands/asked.ts";
import { type ClientFrame, PROTOCOL_VERSION, type RelayFrame } from "../../core/protocol/frames.ts";
import type { ClientLink, ToClient } from "../../core/protocol/link.ts";
import { until } from "./until.ts";

type FrameOf<T extends ToClient["type"]> = Extract<ToClient, { type: T }>;

/** A client moved by hand, frame by frame: for clients that are slow, silent, late or wrong. */
export interface PuppetClient {
  readonly link: ClientLink;
  readonly frames: readonly ToClient[];
  readonly welcome: RelayFrame & { type: "welcome" };
  say(frame: ClientFrame): void;
  /** Resolves with the first frame of that type that was not taken yet. */
  next<T extends ToClient["type"]>(type: T): Promise<FrameOf<T>>;
  /** Asks for an operation on the client's own account, or on a plugin's. Resolves with the relay's answer or refusal. */
  ask(op: AskableName, params: object, by?: "plugin"): Promise<FrameOf<"answer"> | FrameOf<"refused">>;
  /** Why the link was closed, if it was. */
  readonly closed: string | undefined;
}

export async function puppet(
  link: ClientLink,
  resume?: string,
  announced: { readonly device?: string; readonly clientKind?: "browser" | "desktop" } = {},
): Promise<PuppetClient> {
  const frames: ToClient[] = [];
  const taken = new Set<ToClient>();
  let closed: string | undefined;
  let asks = 1_000_000;
  link.onFrame((frame) => frames.push(frame));
  link.onClose((reason) => {
    closed = reason;
  });
  const next: PuppetClient["next"] = async (type) => {
    const frame = await until(`a frame ${type}`, () => frames.find((one) => one.type === type && !taken.has(one)));
    taken.add(frame);
    return frame as FrameOf<typeof type>;
  };
  link.send({
    type: "hello",
    protocol: PROTOCOL_VERSION,
    device: "puppet",
    clientKind: "browser",
    ...announced,
    ...(resume === undefined ? {} : { resume }),
  });
  const welcome = await next("welcome");
  return {
    link,
    frames,
    welcome,
    say: (frame) => link.send(frame),
    next,
    ask(op, params, by) {
      const id = ++asks;
      link.send({ type: "ask", id, op, params, ...(by === undefined ? {} : { by }) });
      return until(`the answer to ${op}`, () =>
        frames.find((frame) => isAnswer(frame) && frame.id === id),
      ) as ReturnType<PuppetClient["ask"]>;
    },
    get closed() {
      return closed;
    },
  };
}

function isAnswer(frame: ToClient): frame is FrameOf<"answer"> | FrameOf<"refused"> {
  return frame.type === "answer" || frame.type === "refused";
}
