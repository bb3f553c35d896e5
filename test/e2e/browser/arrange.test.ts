import { describeArranging } from "../arranging.ts";
import { startWebLab } from "./web-lab.ts";

describeArranging("arranging by hand in a browser", async () => {
  const lab = await startWebLab();
  const { page, id } = await lab.guest();
  return {
    page,
    command: (method, params = {}) => lab.command(method, params, id),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
});
