import { z } from "zod";
import { decimal } from "../../../core/protocol/decimal.ts";

/** The query of the GET shortcuts. */
export const ClientQuery = z.object({
  client: decimal(z.int().min(0)).optional().describe("Id of the client that is to answer."),
});
