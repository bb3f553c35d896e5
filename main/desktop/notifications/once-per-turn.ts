/**
 * Answers a burst of changes with one `update`, after the turn of the event loop that brought the first of them. Answers
 * how to stop.
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
