import { getAgentCost } from "./agents/get-agent-cost.ts";
import { getAgentEvents } from "./agents/get-agent-events.ts";
import { getAgentSessions } from "./agents/get-agent-sessions.ts";
import { getAgents } from "./agents/get-agents.ts";
import { broadcastEvent } from "./chat/broadcast-event.ts";
import { getChat } from "./chat/get-chat.ts";
import { sendChat } from "./chat/send-chat.ts";
import type { AnyCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { breakTile } from "./layout/break-tile.ts";
import { closeTile } from "./layout/close-tile.ts";
import { focusDirection } from "./layout/focus-direction.ts";
import { focusLast } from "./layout/focus-last.ts";
import { focusTile } from "./layout/focus-tile.ts";
import { focusTurn } from "./layout/focus-turn.ts";
import { getLayout } from "./layout/get-layout.ts";
import { getLayoutGeometry } from "./layout/get-layout-geometry.ts";
import { getLayoutTree } from "./layout/get-layout-tree.ts";
import { getTabGroups } from "./layout/get-tab-groups.ts";
import { getTiles } from "./layout/get-tiles.ts";
import { maximize } from "./layout/maximize.ts";
import { moveBack } from "./layout/move-back.ts";
import { moveTile } from "./layout/move-tile.ts";
import { moveToWorkspace } from "./layout/move-to-workspace.ts";
import { openTile } from "./layout/open-tile.ts";
import { renameTile } from "./layout/rename-tile.ts";
import { resetLayout } from "./layout/reset-layout.ts";
import { setRatio } from "./layout/set-ratio.ts";
import { splitShell } from "./layout/split-shell.ts";
import { swapTiles } from "./layout/swap-tiles.ts";
import { toggleDirection } from "./layout/toggle-direction.ts";
import { getTunnelPorts } from "./notifications/get-tunnel-ports.ts";
import { notify } from "./notifications/notify.ts";
import { toast } from "./notifications/toast.ts";
import { allowPlugin } from "./plugins/allow-plugin.ts";
import { getPluginState } from "./plugins/get-plugin-state.ts";
import { getPlugins } from "./plugins/get-plugins.ts";
import { removePlugin } from "./plugins/remove-plugin.ts";
import { setPluginState } from "./plugins/set-plugin-state.ts";
import { adoptShell } from "./session/adopt-shell.ts";
import { answerAdopt } from "./session/answer-adopt.ts";
import { answerAgent } from "./session/answer-agent.ts";
import { answerRoleRequest } from "./session/answer-role-request.ts";
import { askToType } from "./session/ask-to-type.ts";
import { forgetAgent } from "./session/forget-agent.ts";
import { getAdoptRequests } from "./session/get-adopt-requests.ts";
import { getClients } from "./session/get-clients.ts";
import { getOwnership } from "./session/get-ownership.ts";
import { getRole } from "./session/get-role.ts";
import { getRoleRequests } from "./session/get-role-requests.ts";
import { getSession } from "./session/get-session.ts";
import { getShellRestrictions } from "./session/get-shell-restrictions.ts";
import { getUsers } from "./session/get-users.ts";
import { restrictShells } from "./session/restrict-shells.ts";
import { broadcastInput } from "./shells/broadcast-input.ts";
import { closeShell } from "./shells/close-shell.ts";
import { createShell } from "./shells/create-shell.ts";
import { getShellOutput } from "./shells/get-shell-output.ts";
import { getShells } from "./shells/get-shells.ts";
import { getTerminalNames } from "./shells/get-terminal-names.ts";
import { respawnShell } from "./shells/respawn-shell.ts";
import { runCommand } from "./shells/run-command.ts";
import { sendKeys } from "./shells/send-keys.ts";
import { waitFor } from "./shells/wait-for.ts";
import { writeToShell } from "./shells/write-to-shell.ts";
import { nextTab } from "./tabs/next-tab.ts";
import { prevTab } from "./tabs/prev-tab.ts";
import { selectTab } from "./tabs/select-tab.ts";
import { closeWorkspace } from "./workspaces/close-workspace.ts";
import { createWorkspace } from "./workspaces/create-workspace.ts";
import { getWorkspaces } from "./workspaces/get-workspaces.ts";
import { renameWorkspace } from "./workspaces/rename-workspace.ts";
import { setup } from "./workspaces/setup.ts";
import { switchWorkspace } from "./workspaces/switch-workspace.ts";

/** The list of all commands. The property name is the method name; everything else comes from the declaration. */
export const runnable = {
  breakTile,
  closeTile,
  focusDirection,
  focusLast,
  focusTile,
  focusTurn,
  getLayoutGeometry,
  getLayoutTree,
  getLayout,
  getTabGroups,
  getTiles,
  maximize,
  moveBack,
  moveTile,
  moveToWorkspace,
  openTile,
  renameTile,
  resetLayout,
  setRatio,
  splitShell,
  swapTiles,
  toggleDirection,
  nextTab,
  prevTab,
  selectTab,
  closeWorkspace,
  createWorkspace,
  getWorkspaces,
  renameWorkspace,
  setup,
  switchWorkspace,
  broadcastInput,
  closeShell,
  createShell,
  getShellOutput,
  getShells,
  getTerminalNames,
  respawnShell,
  runCommand,
  sendKeys,
  waitFor,
  writeToShell,
  adoptShell,
  answerAdopt,
  getAdoptRequests,
  restrictShells,
  getShellRestrictions,
  answerAgent,
  forgetAgent,
  askToType,
  answerRoleRequest,
  getRoleRequests,
  getClients,
  getOwnership,
  getRole,
  getSession,
  getUsers,
  broadcastEvent,
  getChat,
  sendChat,
  getAgentCost,
  getAgentEvents,
  getAgentSessions,
  getAgents,
  getTunnelPorts,
  notify,
  toast,
  allowPlugin,
  getPluginState,
  getPlugins,
  removePlugin,
  setPluginState,
} as const satisfies Record<string, AnyCommand>;

export type MethodName = keyof typeof runnable;

/** Executes a command; what only the relay can execute is asked of it. */
export function runMethod(method: MethodName, context: CommandContext, params: unknown): unknown {
  const command: AnyCommand = runnable[method];
  return command.run === undefined ? context.request(method, params) : command.run(context, params as never);
}
