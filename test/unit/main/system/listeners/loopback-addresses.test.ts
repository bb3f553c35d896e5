import { expect, test } from "vitest";
import { isLoopbackHost } from "../../../../../main/system/listeners/loopback-addresses.ts";

test("the host of a URL is this machine by its name or a loopback address", () => {
  const here = ["http://localhost", "http://127.0.0.1:7717", "nats://127.0.0.5:4222", "http://[::1]:80"];
  const elsewhere = ["http://127.0.0.1.example.com", "http://192.0.2.7", "nats://127.1", "http://[::ffff:127.0.0.1]"];
  const isHere = (url: string) => isLoopbackHost(new URL(url).hostname);
  expect([...here, ...elsewhere].filter(isHere)).toEqual(here);
});
