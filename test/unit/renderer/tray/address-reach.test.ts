import { expect, test } from "vitest";
import { addressReach, hostOf } from "../../../../renderer/tray/address-reach.ts";

test.each([
  ["https://127.0.0.5:7718", "here"],
  ["https://localhost:7718", "here"],
  ["https://[::1]:7718", "here"],
  ["https://10.1.2.3:7718", "network"],
  ["https://172.16.0.1:7718", "network"],
  ["https://172.31.255.1:7718", "network"],
  ["https://192.168.1.5:7718", "network"],
  ["https://169.254.1.5:7718", "network"],
  ["https://[fd12::1]:7718", "network"],
  ["https://studio:7718", "network"],
  ["https://studio.local:7718/x", "network"],
  ["https://100.64.0.1:7718", "vpn"],
  ["https://100.127.0.1:7718", "vpn"],
  ["https://[fd7a:115c:a1e0::1]:7718", "vpn"],
  ["https://studio.tail1234.ts.net:7718", "vpn"],
  ["https://172.32.0.1:7718", "internet"],
  ["https://100.128.0.1:7718", "internet"],
  ["https://192.0.2.7:7718", "internet"],
  ["https://[2001:db8::7]:7718", "internet"],
  ["https://box.example.org:7718", "name"],
  ["https://10.example.org:7718", "name"],
])("%s reaches: %s", (address, reach) => {
  expect(addressReach(address)).toBe(reach);
});

test("a host is told with its port, without the path", () => {
  expect(hostOf("https://studio.local:7718/x")).toBe("studio.local:7718");
});
