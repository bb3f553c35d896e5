import "../ui/no-eval.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/fonts.ts";
import "../ui/tokens.css";
import "../ui/base.css";
import { speakAppLanguage } from "../ui/app-language.ts";
import { pageBridge } from "../window/page-bridge.ts";
import "./login.css";
import { LoginQuestions } from "./login-questions.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
const bridge = pageBridge();
await speakAppLanguage(bridge, location);
createRoot(root).render(
  <StrictMode>
    <LoginQuestions bridge={bridge} />
  </StrictMode>,
);
