import "../ui/no-eval.ts";
import { mountSessionView } from "../session/mount.tsx";
import { allowTerminalStyles } from "../ui/allow-terminal-styles.ts";
import { Door } from "./door.tsx";
import { enterSession } from "./enter.ts";
import { registerOfflineWorker } from "./install.ts";
import { createWebHost } from "./web-host.ts";
import { words } from "./words.ts";

allowTerminalStyles(document);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");

// Another invite link opened in this tab changes only what is after the `#`, for which browsers do not load a page anew.
window.addEventListener("hashchange", () => location.reload());

const door = new Door(root);
const credential = await enterSession(window, door.ask, door.askKey);
let isJoined = false;
const { host, joined } = createWebHost({
  credential,
  onRefused: (reason) => door.refuse(reason),
  onAway(why) {
    if (!isJoined) door.wait(why ?? words.access.noRelay);
  },
});
await joined;
isJoined = true;
door.close();
mountSessionView(root, host);
registerOfflineWorker(window);
