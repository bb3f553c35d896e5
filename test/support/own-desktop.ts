import { z } from "zod";

const Desktops = z.array(z.record(z.string(), z.string()));

/** Before each file: what the tests of this process start lives on the desktop of this process. */
const desktops = Desktops.parse(JSON.parse(process.env.PATCHBAY_DESKTOPS ?? "[]"));
Object.assign(process.env, desktops[Number(process.env.VITEST_POOL_ID) - 1]);
