import { Client } from "../../../core/client/client.ts";
import type { ShownBy } from "../../../core/protocol/events.ts";
import { type SessionId, SessionId as SessionIdSchema, type ShellId } from "../../../core/protocol/ids.ts";
import type { Viewport } from "../../../core/state/ports.ts";
import { Undo } from "../../../core/undo.ts";
import type { Notice, Toast } from "./notices.ts";
import type { RelayForDesktop } from "./relay-for-desktop.ts";

/** Viewport until a window has measured itself: a window of the default size. */
const FIRST_VIEWPORT = { cols: 132, rows: 40 };

/** A session as its window shows it. */
export interface WindowSession {
  readonly id: SessionId;
  /** As last heard of. */
  name(): string;
  readonly client: Client;
  /** Base address of the relay below which a browser on this machine finds the session. */
  address(): string;
  setViewport(size: Viewport): void;
}

/** The desktop client of one open session; it works without any window. */
export interface DesktopClient extends WindowSession, Disposable {
  /** Resolves once the relay has welcomed the client; rejects when the session refused it. */
  readonly joined: Promise<void>;
}

interface Options {
  readonly relay: RelayForDesktop;
  readonly session: { readonly id: string; readonly name: string };
  /** Name that others see: the user's. */
  readonly user: string;
  /** `shell`: the one that it comes from, if any. */
  readonly toast: (session: SessionId, toast: Toast, shell: ShellId | undefined) => ShownBy | Promise<ShownBy>;
  readonly notify: (session: SessionId, notice: Notice, shell: ShellId | undefined) => ShownBy | Promise<ShownBy>;
}

/** Joins a session of the relay in this process. Disposing of it leaves the session. */
export function openDesktopClient({ relay, session, user, toast, notify }: Options): DesktopClient {
  const id = SessionIdSchema.parse(session.id);
  const undo = new Undo();
  let viewport: Viewport = FIRST_VIEWPORT;
  const client = new Client({
    kind: "desktop",
    device: "desktop",
    toast: ({ shell, ...shown }) => toast(id, shown, shell),
    notify: ({ shell, ...notification }) => notify(id, notification, shell),
    viewport: () => viewport,
  });
  const joined = client.connect(relay.attachLocal(id, { name: user, role: "admin", place: "desktop" }));
  undo.add(() => client.disconnect("the desktop client left"));
  return {
    id,
    client,
    address: () => relay.url,
    joined,
    name: () => client.mirror?.session.name ?? session.name,
    setViewport: (size) => {
      viewport = size;
    },
    [Symbol.dispose]: () => undo.dispose(),
  };
}
