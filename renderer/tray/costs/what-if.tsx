import { useState } from "react";
import { formatLocale } from "../../../core/phrases.ts";
import { localDate, type UsageDays, type UsageSlice } from "../../../core/protocol/usage.ts";
import { useBusy } from "../../ui/use-busy.ts";
import { formatDollars } from "../format.ts";
import { readDollars } from "../typed-dollars.ts";
import { words } from "../words/index.ts";
import { dayCourse } from "./forecast.ts";

const said = words.costs.whatIf;

interface Props {
  readonly slices: readonly UsageSlice[];
  readonly days: UsageDays;
  readonly now: Date;
  /** The budget of a day that is set. */
  readonly current: number | null;
  set(budget: number): Promise<unknown>;
}

/** Tries a budget of a day on what was spent: when today would have reached it, or on how many days. Then it can be set. */
export function WhatIf({ slices, days, now, current, set }: Props) {
  const [typed, setTyped] = useState("");
  const [isSetting, runOnce] = useBusy();
  const { usd, doubt } = readDollars(typed);
  const budget = usd !== null && usd > 0 ? usd : undefined;
  return (
    <form className="cost-what-if" aria-label={said.title} onSubmit={(event) => event.preventDefault()}>
      <label>
        {said.budget}{" "}
        <input
          className="field"
          inputMode="decimal"
          maxLength={12}
          placeholder={said.none}
          value={typed}
          aria-invalid={doubt !== undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      {doubt !== undefined && <output className="panel-faint">{doubt}</output>}
      {budget !== undefined && (
        <output className="panel-faint">{days === 1 ? ofToday(slices, budget, now) : ofDays(slices, budget)}</output>
      )}
      {budget !== undefined && budget !== current && (
        <button
          type="button"
          className="button outlined small"
          aria-disabled={isSetting}
          onClick={() => runOnce(() => set(budget))}
        >
          {said.set}
        </button>
      )}
    </form>
  );
}

function ofToday(slices: readonly UsageSlice[], budget: number, now: Date): string {
  const { points, forecast, midnight } = dayCourse(slices, now);
  const at = points.findIndex(({ cost }) => cost >= budget);
  const [before, after] = [points[at - 1], points[at]];
  const time = (ms: number) => new Date(ms).toLocaleTimeString(formatLocale(), { timeStyle: "short" });
  if (before !== undefined && after !== undefined) return said.reached(time(between(before, after, budget)));
  const spent = points.at(-1)?.cost ?? 0;
  if (forecast === undefined || forecast < budget) return said.notToday(formatDollars(budget - spent));
  const last = { at: now.getTime(), cost: spent };
  return said.willBe(time(between(last, { at: midnight, cost: forecast }, budget)));
}

interface Point {
  readonly at: number;
  readonly cost: number;
}

/** The time at which a cost is reached between two points. */
function between(before: Point, after: Point, cost: number): number {
  const share = after.cost === before.cost ? 1 : (cost - before.cost) / (after.cost - before.cost);
  return before.at + share * (after.at - before.at);
}

function ofDays(slices: readonly UsageSlice[], budget: number): string {
  const sums = new Map<string, number>();
  for (const { from, cost } of slices) {
    const day = from.includes("T") ? localDate(new Date(from)) : from;
    sums.set(day, (sums.get(day) ?? 0) + cost);
  }
  const over = [...sums.values()].filter((sum) => sum >= budget);
  const held = over.reduce((sum, cost) => sum + cost - budget, 0);
  return said.days(over.length, [...sums.values()].filter((sum) => sum > 0).length, formatDollars(held));
}
