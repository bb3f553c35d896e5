import type { ShellId } from "../../core/protocol/ids.ts";
import type { TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import type { AgentPlace, AgentProgram } from "./programs.ts";

/** What stands in the empty input of a program that sets no mark before it. */
const INVITATION = /Ask anything|Type your message/;

/** Starts a real agent in a shell, as a user types it, and resolves when it takes prompts. */
export async function startInShell(
  relay: TestRelay,
  shell: ShellId,
  {
    program,
    place,
    words = "",
  }: { readonly program: AgentProgram; readonly place: AgentPlace; readonly words?: string },
): Promise<void> {
  const { state, shells } = relay.relay.sessions.get(relay.session);
  // Programs ask their terminal where the cursor is and what it is; the terminal of a client answers them.
  shells.host.subscribe(shell, {
    from: 0,
    window: 64 * 1024 * 1024,
    deliver(frame) {
      const output = frame.kind === "output" ? Buffer.from(frame.bytes).toString("latin1") : "";
      if (output.includes("\u001b[6n")) shells.host.write(shell, "\u001b[1;1R").catch(() => undefined);
      if (output.includes("\u001b[c")) shells.host.write(shell, "\u001b[?1;2c").catch(() => undefined);
    },
  });
  await relay.command("sendKeys", { id: shell, keys: [`${place.command} ${words}`, "Enter"] });
  const kind = program.split("-")[0] ?? program;
  const isHere = () => state.now.agents.some(({ agentType, shellId }) => agentType === kind && shellId === shell);
  await until(`${program} in shell ${shell}`, isHere, 180_000);
  const takesPrompts = async () => {
    const { text } = await shells.host.screen({ shell });
    return INVITATION.test(text) || /^\s*[❯›>](?:\s|$)/mu.test(text.split("\n").slice(-12).join("\n"));
  };
  await until(`the input of ${program}`, takesPrompts, 180_000);
}
