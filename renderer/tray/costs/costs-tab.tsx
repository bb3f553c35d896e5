import { BudgetForm } from "../budget-form.tsx";
import { LiveAgents } from "../live-agents.tsx";
import { PolicyList } from "../policy-list.tsx";
import { PromptQueue } from "../prompt-queue.tsx";
import { QuotaWindows } from "../quota-windows.tsx";
import { RemoteAgents } from "../remote-machines.tsx";
import { Costs } from "./costs.tsx";

/** Costs of agents, running agents, and budgets. */
export function CostsTab() {
  return (
    <>
      <Costs />
      <LiveAgents />
      <PromptQueue />
      <QuotaWindows />
      <RemoteAgents />
      <BudgetForm />
      <PolicyList />
    </>
  );
}
