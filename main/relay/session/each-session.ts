/** The open sessions, which says when they have changed. */
interface OpenSessions<S> {
  all(): readonly S[];
  onChange(listener: () => void): () => void;
}

/**
 * Watches each session while it is open, those that come later too.
 * @param watch - begins, and returns what ends it; undefined for a session that is not watched
 * @returns a function that ends all of it
 */
export function eachSession<S>(
  sessions: OpenSessions<S>,
  watch: (session: S) => (() => unknown) | undefined,
): () => void {
  const watched = new Map<S, (() => unknown) | undefined>();
  const follow = () => {
    const open = new Set(sessions.all());
    for (const [session, stop] of watched) {
      if (open.has(session)) continue;
      watched.delete(session);
      stop?.();
    }
    for (const session of open) if (!watched.has(session)) watched.set(session, watch(session));
  };
  const unsubscribe = sessions.onChange(follow);
  follow();
  return () => {
    unsubscribe();
    for (const stop of watched.values()) stop?.();
    watched.clear();
  };
}
