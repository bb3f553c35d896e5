import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { TokenBucket } from "../../../core/protocol/rate-limits.ts";
import type { PluginRecord } from "../../../core/protocol/records.ts";
import { onThemeChange } from "../terminal/terminal-theme.ts";
import { useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { openPluginBridge, type PluginBridge } from "./plugin-bridge.ts";
import { pluginTheme } from "./plugin-theme.ts";

const Hello = z.strictObject({ patchbay: z.literal(1) });

/** A plugin's sandboxed page and the bridge to it. */
export function PluginFrame({ plugin, page }: { plugin: PluginRecord; page: string }) {
  const { host } = useView();
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState<string>();
  const [stopped, setStopped] = useState(false);

  useEffect(() => {
    let gone = false;
    void host.addressOf(page).then((found) => gone || setAddress(found));
    return () => {
      gone = true;
    };
  }, [host, page]);

  useEffect(() => {
    if (stopped) return undefined;
    let bridge: PluginBridge | undefined;
    const hellos = new TokenBucket({ capacity: 10, perSecond: 0.5 }, () => performance.now());
    const end = () => {
      bridge?.[Symbol.dispose]();
      bridge = undefined;
    };
    const stop = () => {
      end();
      setStopped(true);
    };
    const greeted = ({ source, data, ports }: MessageEvent<unknown>) => {
      // The page is in a nested frame: see main/relay/http/plugin-page-routes.ts.
      const inner = frame.current?.contentWindow?.[0];
      if (inner === undefined || source !== inner) return;
      if (!hellos.take()) return stop();
      const [port] = ports;
      if (port === undefined || !Hello.safeParse(data).success) return;
      end();
      bridge = openPluginBridge(port, {
        plugin: () => host.snapshot().mirror?.plugins.find(({ id }) => id === plugin.id),
        role: () => host.snapshot().self?.role,
        theme: pluginTheme(document.body),
        execute: (method, params, by) => host.execute(method, params, by),
        onEvent: (listener) => host.onEvent(listener),
        onFlood: stop,
      });
    };
    window.addEventListener("message", greeted);
    const leave = onThemeChange(document, () => bridge?.theme(pluginTheme(document.body)));
    return () => {
      window.removeEventListener("message", greeted);
      leave();
      end();
    };
  }, [host, plugin.id, stopped]);

  if (stopped) {
    return (
      <div className="plugin-note">
        <p>{words.tiles.plugin.stopped(plugin.name)}</p>
        <button type="button" className="button outlined" onClick={() => setStopped(false)}>
          {words.tiles.plugin.startAgain}
        </button>
      </div>
    );
  }
  if (address === undefined) return null;
  return (
    <iframe
      ref={frame}
      className="plugin-frame"
      title={plugin.name}
      src={address}
      sandbox="allow-scripts"
      allow=""
      referrerPolicy="no-referrer"
    />
  );
}
