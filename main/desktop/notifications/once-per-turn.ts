/**
 * Calls `update` once for a burst of changes, after the turn of the event loop that brought the first of them. Returns
 * an unsubscribe function.
 */
export function oncePerTurn(subscribe: (changed: () => void) => () => void, update: () => void): () => void {
  let scheduled: NodeJS.Immediate | undefined;
  const leave = subscribe(() => {
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      update();
    });
  });
  return () => {
    leave();
    clearImmediate(scheduled);
  };
}
