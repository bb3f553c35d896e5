import { z } from "zod";

// Import this before any module that declares schemas: zod probes for `eval` when a schema is created, and the pages'
// strict Content-Security-Policy reports that probe as a violation.
z.config({ jitless: true });
