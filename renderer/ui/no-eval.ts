import { z } from "zod";

// Import this before anything that declares schemas: zod probes for `eval` when a schema is made, and the strict
// Content-Security-Policy of our pages reports that probe as a violation.
z.config({ jitless: true });
