import "./search.css";
import { type ReactNode, useEffect, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import { search as words } from "../../search/words.ts";
import { formatTime } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { useSnapshot } from "../view/view.ts";

interface Props<Page> {
  readonly name: string;
  readonly heading: string;
  /** Its time, as far as that is known; undefined before anything is read. */
  readonly at: (page: Page | undefined) => string | undefined;
  /** Absent in a tile, which has its name and its own way out in its bar. */
  readonly back: (() => void) | undefined;
  /** Reads what is shown, once for each function. */
  readonly read: () => Promise<Page>;
  /** Reads it again when there is more, as long as it is given. */
  readonly readNext?: ((page: Page) => Promise<Page>) | undefined;
  readonly words: { readonly loading: string; readonly failed: (why: string) => string };
  /** Goes to what was before; undefined where there is nothing. */
  readonly earlier: (page: Page) => (() => void) | undefined;
  readonly later: (page: Page) => (() => void) | undefined;
  /** A word beside the time. */
  readonly status?: string | undefined;
  /** A further button. */
  readonly action?: ReactNode;
  /** Why the action was not done. */
  readonly notDone?: string | undefined;
  readonly children: (page: Page) => ReactNode;
}

/** The place of a result: its name and time, a step back from the search, steps to what was before and after, and what is read there. */
export function PlaceFrame<Page>({ name, heading, at, back, action, notDone, children, ...props }: Props<Page>) {
  const { read, readNext, status } = props;
  const [page, setPage] = useState<Page>();
  const [failed, setFailed] = useState<string>();
  const { connected } = useSnapshot();
  const isAway = !connected && failed !== undefined;
  useEffect(() => {
    // It is read again when the connection is back.
    if (isAway) return;
    let isStale = false;
    const follow = async () => {
      for (let next = await read(); !isStale; ) {
        const shown = next;
        setPage(() => shown);
        setFailed(undefined);
        if (readNext === undefined) return;
        next = await readNext(shown);
      }
    };
    follow().catch((error: unknown) => isStale || setFailed(errorText(error)));
    return () => {
      isStale = true;
    };
  }, [read, readNext, isAway]);
  const time = at(page);
  const [earlier, later] = [props.earlier, props.later].map((go) => (page === undefined ? undefined : go(page)));
  return (
    <section className="history-place" aria-label={name}>
      <div className="history-head">
        {back !== undefined && (
          <>
            <button
              type="button"
              className="icon-button"
              // biome-ignore lint/a11y/noAutofocus: Escape and the arrows work from here
              autoFocus
              aria-label={words.place.back}
              title={words.place.back}
              onClick={back}
            >
              <Icon name="left" />
            </button>
            <strong className="ellipsis" title={heading}>
              {heading}
            </strong>
          </>
        )}
        {time !== undefined && <time dateTime={time}>{formatTime(time)}</time>}
        {status !== undefined && (
          <span className="history-status" role="status">
            <span className="dot good" />
            {status}
          </span>
        )}
        <span className="history-buttons">
          <button type="button" className="button quiet small" disabled={earlier === undefined} onClick={earlier}>
            {words.place.earlier}
          </button>
          <button type="button" className="button quiet small" disabled={later === undefined} onClick={later}>
            {words.place.later}
          </button>
          {action}
        </span>
      </div>
      {[failed === undefined ? undefined : props.words.failed(failed), notDone].map(
        (sentence) =>
          sentence !== undefined && (
            <p key={sentence} className="search-none" role="alert">
              {sentence}
            </p>
          ),
      )}
      {page === undefined && failed === undefined && (
        <p className="search-none" role="status">
          {props.words.loading}
        </p>
      )}
      {page !== undefined && children(page)}
    </section>
  );
}
