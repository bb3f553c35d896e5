import { expect, test } from "vitest";
import { aptSettings, networkSettings } from "../../../tools/fresh/machine.mjs";
import { Report, StepError } from "../../../tools/fresh/report.mjs";

test("of npm's settings those of the way to the registries go along, and nobody's taste", () => {
  const text = [
    "registry=https://npm.example/",
    "@team:registry = https://team.example/",
    "//npm.example/:_authToken=abc",
    "https-proxy=http://proxy.example:3128",
    "cafile=/etc/ssl/own.crt",
    "prefix=/opt/npm",
    "ignore-scripts=true",
    "; registry=https://old.example/",
  ].join("\n");
  expect(networkSettings(text)).toEqual({
    lines: [
      "registry=https://npm.example/",
      "@team:registry = https://team.example/",
      "//npm.example/:_authToken=abc",
      "https-proxy=http://proxy.example:3128",
    ],
    cafiles: ["/etc/ssl/own.crt"],
  });
});

test("of apt's settings those of its connections go along, and no hooks", () => {
  const text = [
    'Acquire::http::Proxy "http://proxy.example:3128";',
    'DPkg::Post-Invoke { "rm -f /var/cache/apt/*.bin || true"; };',
    '// Acquire::Languages "none";',
  ].join("\n");
  expect(aptSettings(text)).toEqual(['Acquire::http::Proxy "http://proxy.example:3128";']);
});

test("a step that fails ends its part, and everything is counted", async () => {
  const report = new Report(() => undefined);
  const ran: string[] = [];
  const step = (name: string, note?: string) => [
    name,
    async () => {
      ran.push(name);
      if (name === "bad") throw new StepError("It broke.\nThe rest is in the log.");
      return note;
    },
  ];
  const { signal } = new AbortController();
  await report.part("one", [step("good", "12 passed"), step("bad"), step("never")], signal);
  await report.part("two", [step("other")], signal);
  expect(ran).toEqual(["good", "bad", "other"]);
  expect(report.counts()).toMatchObject({ passed: 2, failed: 1, skipped: 1 });
  const lines = report.summary().trimEnd().split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^ok +one: good +0 s {2}12 passed$/);
  expect(lines[1]).toMatch(/^FAILED +one: bad +0 s {2}It broke\.$/);
  expect(lines[2]).toMatch(/^not run +one: never/);
});
