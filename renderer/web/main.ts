import "../ui/no-eval.ts";
import { mountSessionView } from "../session/mount.tsx";
import { allowTerminalStyles } from "../ui/allow-terminal-styles.ts";
import { enterSession } from "./enter.ts";
import { showRefusal } from "./refusal.tsx";
import { createWebHost } from "./web-host.ts";

allowTerminalStyles(document);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");

const entry = await enterSession(window);
if ("refused" in entry) showRefusal(root, entry.refused);
else {
  const { host, joined } = createWebHost({ pageKey: entry.pageKey, onRefused: (reason) => showRefusal(root, reason) });
  await joined;
  mountSessionView(root, host);
}
