import "../../ui/no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../ui/fonts.ts";
import "../../ui/tokens.css";
import "../../ui/base.css";
import { pageBridge } from "../../window/page-bridge.ts";
import { Panel } from "./panel.tsx";
import "../panel.css";
import "../../ui/questions.css";
import "../costs.css";
import "../forms.css";
import "../activity.css";
import "../now/cards.css";
import "../now/glance.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
createRoot(root).render(
  <StrictMode>
    <Panel bridge={pageBridge()} />
  </StrictMode>,
);
