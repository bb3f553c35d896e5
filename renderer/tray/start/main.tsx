import "../../ui/no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../ui/fonts.ts";
import "../../ui/tokens.css";
import "../../ui/base.css";
import { Panel } from "../app/panel.tsx";
import { appHost } from "../host.ts";
import "../panel.css";
import "../../ui/questions.css";
import "../costs.css";
import "../forms.css";
import "../activity.css";
import "../now/cards.css";
import "../now/glance.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
if (window.patchbay === undefined) {
  const { startInBrowser } = await import("./start-in-browser.tsx");
  await startInBrowser(window, root);
} else {
  createRoot(root).render(
    <StrictMode>
      <Panel host={appHost(window.patchbay)} />
    </StrictMode>,
  );
}
