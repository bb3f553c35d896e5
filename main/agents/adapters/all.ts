import { acpAdapters } from "./acp.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claudeAdapter } from "./claude.ts";
import { codexAdapter } from "./codex.ts";
import { copilotAdapter } from "./copilot.ts";
import { geminiAdapter } from "./gemini.ts";
import { opencodeAdapter } from "./opencode.ts";
import { qwenAdapter } from "./qwen.ts";

/** Every kind of agent that is known. */
export function allAdapters(): readonly AgentAdapter[] {
  return [
    claudeAdapter(),
    codexAdapter(),
    geminiAdapter(),
    qwenAdapter(),
    copilotAdapter(),
    opencodeAdapter(),
    ...acpAdapters(),
  ];
}
