import { errorText } from "../../core/protocol/error-text.ts";
import "../ui/no-eval.ts";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/contrast.css";
import "../ui/questions.css";
import { Undo } from "../../core/undo.ts";
import { fontsReady } from "../ui/fonts.ts";
import { SessionView } from "./session-view.tsx";
import { goToShell } from "./shells/shell-actions.ts";
import { refuseOtherFileDrops } from "./tiles/drop-files.ts";
import { offerTunnels } from "./tiles/offer-tunnels.ts";
import { reportFinished, reportNotifications, sightOf } from "./toasts/report-programs.ts";
import { reportRole, reportTakeovers, reportTypingRequest } from "./toasts/report-takeovers.ts";
import { followFocus, hostOfWindow } from "./view/own-window.ts";
import { reportReturn } from "./view/report-return.ts";
import type { SessionHost } from "./view/session-host.ts";
import { createView, type View, ViewContext } from "./view/view.ts";

/** Renders the session into an element once its fonts have loaded. Returns a function that unmounts it. */
export function mountSessionView(root: HTMLElement, session: SessionHost): () => void {
  const undo = new Undo();
  const host = hostOfWindow(session, document);
  const view = createView(host, window);
  undo.add(followFocus(window, session, host));
  undo.add(
    host.onToast(({ kind, message, action }) =>
      view.ui.toasts.show(kind, message, action === undefined ? [] : [action]),
    ),
  );
  undo.add(followApp(view));
  undo.add(refuseOtherFileDrops(window));
  // Once for all windows of the session.
  if (host.windows?.own === undefined) {
    undo.add(offerTunnels(view));
    undo.add(reportTakeovers(view));
    undo.add(reportRole(view));
    undo.add(reportTypingRequest(view));
    undo.add(
      host.onLed?.(async (place) => {
        if (place.in === "shell") return goToShell(view, place.shellId);
        const { goToFound } = await import("./search/go-to-place.ts");
        await goToFound(view, place);
      }) ?? (() => undefined),
    );
  }
  undo.add(reportReturn(view, Date.now));
  undo.add(reportFinished(view, sightOf(document), Date.now));
  undo.add(reportNotifications(view, sightOf(document)));
  let gone = false;
  undo.add(() => {
    gone = true;
  });
  void fontsReady(document).then(() => {
    if (gone) return;
    const page = createRoot(root);
    // In pieces, between which the page answers.
    startTransition(() =>
      page.render(
        <ViewContext value={view}>
          <SessionView root={root} />
        </ViewContext>,
      ),
    );
    undo.add(() => page.unmount());
  });
  return () => undo.dispose();
}

/** In the app, the settings of terminals are those that the app keeps. */
function followApp({ host: { app }, ui }: View): () => void {
  if (app === undefined) return () => undefined;
  return ui.settings.follow({
    get: () => app.facts.get().terminals ?? undefined,
    subscribe: app.facts.subscribe,
    set: (name, text) => {
      const failed = (error: unknown) => ui.toasts.show("error", errorText(error));
      app.setSetting(name, text).catch(failed);
    },
  });
}
