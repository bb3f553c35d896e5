// @module-tag slow
import { launchApp } from "../support/app.ts";
import { describeArranging } from "./arranging.ts";

describeArranging("arranging by hand in the app", async () => {
  const app = await launchApp({ switches: ["--disable-gpu", "--disable-software-rasterizer"] });
  const page = await app.window();
  await page.locator(".session").waitFor();
  return {
    page,
    command: <T>(method: string, params: object = {}) => app.call(method, { ...params }) as Promise<T>,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
});
