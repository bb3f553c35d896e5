import { useMemo } from "react";
import { lazyPart } from "../../ui/load-guard.tsx";
import { LoadedPart } from "../loaded-part.tsx";
import { PolicyAnswers } from "../policy-list.tsx";
import { QuotaWindows } from "../quota-windows.tsx";
import { SessionsTab } from "../sessions-tab.tsx";
import { useInbox } from "../use-inbox.ts";
import { usePanel } from "../use-panel.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Nothing } from "./nothing.tsx";
import { Running, SessionRows } from "./running.tsx";
import { useAnsweredRequests } from "./use-answered-requests.ts";
import { requestItems } from "./wait-items.ts";
import { Waits } from "./waits.tsx";

const Costs = lazyPart(
  () => import("../costs/costs.tsx"),
  ({ Costs }) => Costs,
);

/**
 * The glance: what waits, what runs, and the sessions. Where there is room they stand side by side, with the costs as a
 * chart; elsewhere below each other, with the cost of today and the people pinned below.
 */
export function NowPlace() {
  const { content, isWide, canRun } = usePanel();
  const inbox = useInbox();
  const answered = useAnsweredRequests(useMemo(() => requestItems(content), [content]));
  const isCalm = inbox.entries.length + answered.listed.length === 0;
  const agents = content.sessions.some((session) => session.agents.length > 0);
  const waits = (
    <>
      {isCalm ? <Nothing /> : <Waits inbox={inbox} answered={answered} allOpen={isWide} />}
      {isCalm && canRun("createSession") && <FirstSteps />}
    </>
  );
  if (isWide) {
    return (
      <div className="now now-columns">
        <div className="now-column">
          {waits}
          <PolicyAnswers />
        </div>
        <div className="now-column now-middle">
          <LoadedPart>
            <Costs />
          </LoadedPart>
          {agents && <Running />}
          <QuotaWindows />
        </div>
        <div className="now-column">
          <SessionsTab />
        </div>
      </div>
    );
  }
  return (
    <div className="now">
      {waits}
      {agents && <Running />}
      {content.sessions.length > 0 && <SessionRows />}
      {canRun("getPolicies") && <PolicyAnswers />}
    </div>
  );
}
