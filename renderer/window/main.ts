import "../ui/no-eval.ts";
import "./title-bar.css";
import { windowIdOf } from "../session/view/own-window.ts";
import { allowTerminalStyles } from "../ui/allow-terminal-styles.ts";
import { speakAppLanguage } from "../ui/app-language.ts";
import { pageBridge } from "./page-bridge.ts";
import { showSession } from "./show-session.tsx";
import { createWindowHost } from "./window-host.ts";

allowTerminalStyles(document);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
const bridge = pageBridge();
const [host] = await Promise.all([createWindowHost(bridge, windowIdOf(location)), speakAppLanguage(bridge, location)]);
showSession(root, host, bridge);
