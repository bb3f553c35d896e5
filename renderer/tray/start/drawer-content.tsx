import "../../ui/controls.css";
import "./styles.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { HitPlace } from "../../../core/protocol/history-search.ts";
import type { InvokeArgs } from "../../../preload/channels.ts";
import type { DrawerContentProps } from "../../session/view/session-host.ts";
import { Panel } from "../app/panel.tsx";
import type { PanelCall, PanelHost } from "../host.ts";

type OwnCalls = { readonly [N in PanelCall]?: (args: InvokeArgs<N>) => unknown };

/** Draws the panel as the content of the drawer in a session's page. */
export function drawContent(host: PanelHost, props: DrawerContentProps): ReactNode {
  return <DrawerContent host={host} {...props} />;
}

function DrawerContent({ host, ...props }: DrawerContentProps & { readonly host: PanelHost }) {
  const { stores, tools, keys, call, showWaiting } = props;
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [inDrawer] = useState(() => hostInDrawer(host, () => latest.current));
  useEffect(
    () => () => {
      showWaiting(undefined);
      if (host.can("panel.hide")) void host.invoke("panel.hide", undefined);
    },
    [host, showWaiting],
  );
  return <Panel host={inDrawer} stores={stores} drawer={{ tools, keys, call, showWaiting }} />;
}

/** Returns a host that does in the drawer's page what concerns its own session. */
function hostInDrawer(host: PanelHost, drawer: () => DrawerContentProps): PanelHost {
  const own: OwnCalls = {
    "panel.hide": () => drawer().close(),
    "panel.open": (wanted) => {
      const { session, goTo, goToFound } = drawer();
      const { id, shell, place } = wanted;
      // A conversation is of no session: it is shown where the user is.
      const isHere = id === session || place?.conversation !== undefined;
      if (!isHere) return host.invoke("panel.open", wanted);
      return place === undefined ? goTo(shell) : goToFound(HitPlace.parse(place));
    },
  };
  return {
    can: (name) => Object.hasOwn(own, name) || host.can(name),
    async invoke<N extends PanelCall>(name: N, args: InvokeArgs<N>) {
      const handle: ((args: InvokeArgs<N>) => unknown) | undefined = own[name];
      return handle === undefined ? await host.invoke(name, args) : await handle(args);
    },
    on: (name, listener) => host.on(name, listener),
    ...(host.canRun !== undefined && { canRun: host.canRun }),
    ...(host.onTouched !== undefined && { onTouched: host.onTouched }),
    ...(host.connection !== undefined && { connection: host.connection }),
  };
}
