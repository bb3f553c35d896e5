import { acpAdapters } from "./acp.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claudeAdapter } from "./claude.ts";
import { codexAdapter } from "./codex.ts";
import { copilotAdapter } from "./copilot.ts";
import { geminiAdapter } from "./gemini.ts";
import { type Manifest, manifestAdapter } from "./manifest.ts";
import { loadManifests } from "./manifests.ts";
import { opencodeAdapter } from "./opencode.ts";
import { piAdapter } from "./pi.ts";
import { qwenAdapter } from "./qwen.ts";

/** Kinds that a manifest describes and that have more beside it, such as transcripts. */
const BEYOND: Readonly<Record<string, (base: AgentAdapter) => AgentAdapter>> = { pi: piAdapter };

/** Every kind of agent that is known: those of manifests last. */
export function allAdapters(manifests = loadManifests(undefined, [])): readonly AgentAdapter[] {
  return [...ownAdapters(), ...manifests.flatMap(({ manifest }) => (manifest ? [adapterOf(manifest)] : []))];
}

/** The adapter of a manifest, with what the kind has beyond it. */
function adapterOf(manifest: Manifest): AgentAdapter {
  const base = manifestAdapter(manifest);
  return BEYOND[manifest.kind]?.(base) ?? base;
}

/** The kinds of agents that have no manifest. */
export function ownAdapters(): readonly AgentAdapter[] {
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
