import type { Area } from "../../core/commands/command.ts";

/** The areas in the order and with the names of the specification's command reference. */
export const areaTitles: Readonly<Record<Area, string>> = {
  layout: "Layout",
  tabs: "Tabs",
  workspaces: "Workspaces",
  shells: "Shells",
  session: "Session info",
  chat: "Chat",
  agents: "Agents",
  notifications: "Tunnels and notifications",
  plugins: "Plugins",
};
