import { type RefObject, type UIEvent, useLayoutEffect, useRef } from "react";

/** Pixels from the end of a list at which it counts as read to its end. */
const AT_END_PX = 40;

interface EndOptions {
  /** The list begins at its end. */
  readonly startsAtEnd?: boolean;
  /** Shows what is new also to a reader who has gone back. */
  readonly goesToEnd?: boolean;
}

/**
 * Keeps a list at its end when it grows, unless the reader has gone back in it. Returns the attributes of the list.
 * @param grown another value for each growth
 */
export function useStaysAtEnd(
  grown: unknown,
  { startsAtEnd = true, goesToEnd = false }: EndOptions = {},
): {
  readonly ref: RefObject<HTMLOListElement | null>;
  readonly onScroll: (event: UIEvent<HTMLOListElement>) => void;
} {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(startsAtEnd);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new moves the end
  useLayoutEffect(() => {
    if (goesToEnd || isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [grown]);
  return {
    ref: list,
    onScroll({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) {
      isAtEnd.current = scrollHeight - scrollTop - clientHeight <= AT_END_PX;
    },
  };
}
