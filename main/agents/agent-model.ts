import type { LiveAgent } from "./live-agent.ts";

/**
 * Reads the model that an agent is set to use, asynchronously where its settings may be on a slow disk.
 *
 * @param changed called when the answer came later
 */
export function readStartModel(agent: LiveAgent, cwd: string, changed: () => void): void {
  if (agent.startModel !== undefined || agent.readingModel) return;
  const model = agent.found.adapter.startModel(agent.found.process, cwd);
  if (!(model instanceof Promise)) {
    agent.startModel = model;
    return;
  }
  agent.readingModel = true;
  const told = (answer: string | undefined) => {
    agent.readingModel = false;
    agent.startModel = answer;
    if (answer !== undefined) changed();
  };
  model.then(told, () => told(undefined));
}

/** Reads how much fits into the context of the model that was used last, once for each model. */
export function readContextSize(agent: LiveAgent, cwd: string, changed: () => void): void {
  const { adapter, process } = agent.found;
  const { model = "", usedProvider: provider } = agent.account ?? { usedProvider: undefined };
  if (adapter.contextSize === undefined || model === "" || provider === undefined) return;
  const name = `${provider}/${model}`;
  if (agent.sized?.model === name) return;
  agent.sized = { model: name };
  adapter.contextSize(process, cwd, { provider, model }).then(
    (size) => {
      if (agent.sized?.model !== name || size === undefined) return;
      agent.sized = { model: name, size };
      changed();
    },
    () => undefined,
  );
}
