/**
 * Milliseconds by the system's monotonic clock. All processes of a machine read the same value, so deadlines can be
 * passed between processes; setting the wall clock does not affect it.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
