import "../ui/no-eval.ts";
import { mountSessionView } from "../session/mount.tsx";
import { allowTerminalStyles } from "../ui/allow-terminal-styles.ts";
import { pageBridge } from "./page-bridge.ts";
import { createWindowHost } from "./window-host.ts";

allowTerminalStyles(document);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
mountSessionView(root, await createWindowHost(pageBridge()));
