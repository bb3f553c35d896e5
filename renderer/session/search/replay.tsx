import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from "react";
import { formatLocale } from "../../../core/phrases.ts";
import type { OpResult } from "../../../core/protocol/relay-ops.ts";
import { search as words } from "../../search/words.ts";
import { isSameDay } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { ReplayPlan } from "./replay-plan.ts";

const SPEEDS = [1, 4, 16] as const;
/** How far keys go, in ms or as a share of the whole. */
const arrows: Readonly<Record<string, number>> = { ArrowLeft: -5000, ArrowRight: 5000 };
const sliderKeys: Readonly<Record<string, number>> = { ...arrows, ArrowDown: -5000, ArrowUp: 5000 };
const pages: Readonly<Record<string, number>> = { PageDown: -0.1, PageUp: 0.1 };

interface ReplayProps {
  readonly recorded: OpResult<"readAround">;
  /** It can be seen; elsewhere it pauses. */
  readonly isVisible: boolean;
  /** Shows the first characters of what was printed; undefined: all of it, at the place. */
  readonly children: (shown: number | undefined) => ReactNode;
}

/** Recorded output with a timeline, by which it is printed again as it was then. It begins at the place, when asked to. */
export function Replay({ recorded, isVisible, children }: ReplayProps) {
  const { before, after, times } = recorded;
  const plan = useMemo(() => new ReplayPlan(times, before.length + after.length), [times, before, after]);
  const place = plan.positionOf(before.length);
  const [position, setPosition] = useState<number>();
  const [plays, setPlays] = useState(false);
  const [speed, setSpeed] = useState<number>(SPEEDS[0]);
  useEffect(() => {
    if (!plays) return;
    let [frame, drawn] = [0, performance.now()];
    const draw = (now: number) => {
      const passed = Math.max(0, now - drawn) * speed;
      drawn = now;
      setPosition((at = 0) => Math.min(plan.length, at + passed));
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [plays, speed, plan]);
  const at = position ?? place;
  useEffect(() => {
    if (at >= plan.length || !isVisible) setPlays(false);
  }, [at, plan, isVisible]);
  const seek = (to: number) => setPosition(Math.max(0, Math.min(plan.length, to)));
  const toggle = () => {
    if (!plays) setPosition(at >= plan.length ? 0 : at);
    setPlays(!plays);
  };
  const press = (event: KeyboardEvent) => {
    const { target, key } = event;
    // A button takes Space itself.
    if (target instanceof HTMLButtonElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const isSlider = target instanceof HTMLInputElement;
    // A field takes all keys itself.
    if (isSlider && target.type !== "range") return;
    const step = isSlider ? (sliderKeys[key] ?? (pages[key] ?? 0) * plan.length) : (arrows[key] ?? 0);
    if (key === " ") toggle();
    else if (step !== 0) seek(at + step);
    else return;
    event.preventDefault();
  };
  const shown = children(position === undefined ? undefined : plan.charactersAt(position));
  if (plan.length === 0) return shown;
  const [start, end] = [plan.timeAt(0), plan.timeAt(plan.length)];
  const format = clock(start, end);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the terminal and the slider in it
    <div className="replay" onKeyDown={press}>
      {shown}
      <fieldset className="replay-bar" aria-label={words.place.replay.title}>
        <button
          type="button"
          className="icon-button"
          aria-label={plays ? words.place.replay.pause : words.place.replay.play}
          title={plays ? words.place.replay.pause : words.place.replay.play}
          onClick={toggle}
        >
          <Icon name={plays ? "pause" : "play"} />
        </button>
        <time className="replay-now">{format(plan.timeAt(at))}</time>
        <div className="replay-line">
          <input
            type="range"
            min={0}
            max={plan.length}
            step="any"
            value={at}
            aria-label={words.place.replay.position}
            aria-valuetext={format(plan.timeAt(at))}
            style={{ backgroundSize: `${(at / plan.length) * 100}% 3px, 100% 3px` }}
            title={words.place.replay.pauses}
            onChange={({ target }) => seek(target.valueAsNumber)}
          />
          <time>{format(start)}</time>
          <time>{format(end)}</time>
        </div>
        <fieldset className="replay-speeds" aria-label={words.place.replay.speed}>
          {SPEEDS.map((one) => (
            <button key={one} type="button" aria-pressed={one === speed} onClick={() => setSpeed(one)}>
              {words.place.replay.times(one)}
            </button>
          ))}
        </fieldset>
      </fieldset>
    </div>
  );
}

/** Returns what writes times of a span to the second, with their days where it has several. */
function clock(start: number, end: number): (time: number) => string {
  const isOneDay = isSameDay(new Date(start).toISOString(), new Date(end).toISOString());
  const format = new Intl.DateTimeFormat(formatLocale(), {
    timeStyle: "medium",
    ...(!isOneDay && { dateStyle: "short" }),
  });
  return (time) => format.format(time);
}
