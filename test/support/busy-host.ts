const script = "process.on('SIGUSR2', () => { const end = Date.now() + 9000; while (Date.now() < end); });";

/** An option for Node with which SIGUSR2 is 9 s of a busy loop. */
export const BUSY_ON_SIGUSR2 = `--import=data:text/javascript,${encodeURIComponent(script)}`;
