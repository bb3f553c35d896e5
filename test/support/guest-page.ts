import { ClientId } from "../../core/protocol/ids.ts";
import type { SessionMirror } from "../../core/protocol/mirror.ts";
import type { Role } from "../../core/protocol/records.ts";
import { sceneNamed } from "../../renderer/session/dev/scenes.ts";
import type { GuestClient } from "../../renderer/tray/start/guest-host.ts";
import { questionOf } from "./asked-question.ts";
import { panelClient } from "./render-panel.tsx";

interface GuestPage {
  readonly client: GuestClient;
  /** Requests of the client, in order. None is answered. */
  readonly asked: (readonly [name: string, params: unknown])[];
  /** Loses the connection, or has it back. */
  connect(now: boolean): void;
  /** Number of views that are attached to the client. */
  views(): number;
  /** Changes the mirror, as messages of the relay do. Without parts only the client itself changes. */
  change(parts?: Partial<SessionMirror>): void;
}

/** Returns the client of a guest's page, without a relay: Bea, in a session where an agent asks in shell 1. */
export function guestPage(role: Role = "writer", parts: Partial<SessionMirror> = {}): GuestPage {
  const { mirror: scene } = sceneNamed("six");
  const self = { id: ClientId.parse(7), name: "Bea", role };
  let mirror: SessionMirror = {
    ...scene,
    clients: [...scene.clients, panelClient({ ...self, guest: true })],
    agents: scene.agents.filter(({ state }) => state === "working"),
    questions: [questionOf()],
    ...parts,
  };
  let connected = true;
  const views = new Set<() => void>();
  const asked: GuestPage["asked"] = [];
  return {
    client: {
      get mirror() {
        return mirror;
      },
      self,
      get connected() {
        return connected;
      },
      subscribe(view) {
        views.add(view);
        return () => views.delete(view);
      },
      ask(name, params) {
        asked.push([name, params]);
        return new Promise<never>(() => undefined);
      },
    },
    asked,
    views: () => views.size,
    connect(now) {
      connected = now;
      for (const view of [...views]) view();
    },
    change(next) {
      if (next !== undefined) mirror = { ...mirror, ...next };
      for (const view of [...views]) view();
    },
  };
}
