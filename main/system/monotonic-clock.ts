/**
 * Milliseconds by the system's monotonic clock. All processes of a machine read the same value, so a deadline can be told
 * to another process; setting the wall clock does not change it.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
