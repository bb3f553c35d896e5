import "../../ui/no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../ui/fonts.ts";
import "../../ui/tokens.css";
import "../../ui/base.css";
import "../../ui/contrast.css";
import "../../ui/controls.css";
import { publicName } from "../../../core/protocol/settings.ts";
import { allowTerminalStyles } from "../../ui/allow-terminal-styles.ts";
import { speakAppLanguage } from "../../ui/app-language.ts";
import { createStore } from "../../ui/store.ts";
import { Panel } from "../app/panel.tsx";
import { panelStores } from "../app/panel-stores.ts";
import { appHost } from "../host.ts";
import "./styles.ts";

allowTerminalStyles(document);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
if (window.patchbay === undefined) {
  const { startInBrowser } = await import("./start-in-browser.tsx");
  await startInBrowser(window, root);
} else {
  await speakAppLanguage(window.patchbay, location);
  const host = appHost(window.patchbay);
  const stores = panelStores(window);
  const kept = createStore<Readonly<Record<string, string>> | undefined>(undefined);
  host.on("panel.changed", ({ desktop }) => kept.set(desktop?.settings.terminals));
  stores.terminals.follow({
    ...kept,
    set: (name, value) => {
      const params = { name: publicName(name), value };
      void host.invoke("panel.run", { operation: "setSetting", params });
    },
  });
  const isSettings = new URLSearchParams(location.search).has("settings");
  const Page = isSettings ? (await import("../app/settings-page.tsx")).SettingsPage : Panel;
  createRoot(root).render(
    <StrictMode>
      <Page host={host} stores={stores} />
    </StrictMode>,
  );
}
