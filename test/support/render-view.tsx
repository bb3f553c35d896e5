import { act, cleanup, type RenderResult, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { onTestFinished } from "vitest";
import type { SessionMirror } from "../../core/protocol/mirror.ts";
import { freshState, restoreState } from "../../core/state/client-state.ts";
import { sceneNamed } from "../../renderer/session/dev/scenes.ts";
import type { SessionHost, SessionSnapshot } from "../../renderer/session/view/session-host.ts";
import { createView, type View, ViewContext } from "../../renderer/session/view/view.ts";
import { createStore } from "../../renderer/ui/store.ts";

export interface RenderedView {
  readonly view: View;
  readonly page: RenderResult;
  readonly user: UserEvent;
  /** Calls of the host, in order: a command's or an operation's name with its parameters. */
  readonly calls: (readonly [name: string, params: unknown])[];
  /** Replaces parts of the session's mirror, as the relay's messages do. */
  change(parts: Partial<SessionMirror>): void;
  /** Loses the connection, or brings it back. */
  connect(connected: boolean): void;
}

interface SessionParts {
  /** Name of a scene of renderer/session/dev/scenes.ts. Default: six tiles. */
  readonly scene?: string;
  readonly mirror?: Partial<SessionMirror>;
  readonly host?: Partial<SessionHost>;
  readonly connected?: boolean;
}

/**
 * Renders components of the session view over a session without a relay: a scene of the development page. Each test's
 * page is removed at its end.
 */
export function renderView(children: ReactNode, parts: SessionParts = {}): RenderedView {
  const scene = sceneNamed(parts.scene ?? "six");
  const snapshot = createStore<SessionSnapshot>({
    state: restoreState(scene.saved) ?? freshState,
    mirror: { ...scene.mirror, ...parts.mirror },
    self: scene.self,
    connected: parts.connected ?? true,
  });
  const calls: RenderedView["calls"] = [];
  const nothing = () => () => undefined;
  const host: SessionHost = {
    platform: "browser",
    snapshot: snapshot.get,
    subscribe: snapshot.subscribe,
    async execute(method, params) {
      calls.push([method, params]);
      return {};
    },
    subscribeOutput: nothing,
    write: (shell, data) => void calls.push(["write", { shell, data }]),
    resize: (shell, size) => void calls.push(["resize", { shell, ...size }]),
    setViewport: () => undefined,
    onEvent: nothing,
    addressOf: async (path) => path,
    onToast: nothing,
    tunnelAddress: async (port) => ({ url: `http://localhost:${port}/` }),
    checkPage: async () => ({ page: "shown", detail: null }),
    async search(query) {
      calls.push(["search", query]);
      return { hits: [], complete: true, recording: "on", conversations: true };
    },
    async readAround(place) {
      calls.push(["readAround", place]);
      return { cols: 80, before: "", after: "", from: 0, to: 0, times: [], sizes: [[0, 80, 24]] };
    },
    async readConversation({ agentType, agentSessionId: sessionId }) {
      return { agentType, sessionId, messages: [], before: null, after: null, hasMore: false };
    },
    async resumeConversation(shown) {
      calls.push(["resumeConversation", shown]);
      return { shellId: null };
    },
    async answerQuestion(given) {
      calls.push(["answerQuestion", given]);
    },
    async restore(wish) {
      calls.push(["restore", wish]);
      return [];
    },
    openInBrowser: (url) => void calls.push(["openInBrowser", { url }]),
    ...parts.host,
  };
  const view = createView(host, window);
  onTestFinished(cleanup);
  const page = render(<ViewContext value={view}>{children}</ViewContext>);
  return {
    view,
    page,
    user: userEvent.setup(),
    calls,
    connect: (connected) => act(() => snapshot.set({ ...snapshot.get(), connected })),
    change(parts) {
      const before = snapshot.get();
      if (before.mirror === undefined) return;
      const mirror = { ...before.mirror, ...parts };
      act(() => snapshot.set({ ...before, mirror }));
    },
  };
}
