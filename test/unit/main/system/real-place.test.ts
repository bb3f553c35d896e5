import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { isWithin, realPlace } from "../../../../main/system/real-place.ts";

const folder = join(sep, "home", "ann");

test.each([
  ["the folder itself", folder, true],
  ["a file in it", join(folder, "notes"), true],
  ["a name that begins with dots", join(folder, "..notes"), true],
  ["a name with a colon", join(folder, "a:b"), true],
  ["the folder above", join(sep, "home"), false],
  ["a folder whose name begins alike", join(sep, "home", "anna"), false],
  ["the root", sep, false],
])("%s", (_, path, expected) => {
  expect(isWithin(path, folder)).toBe(expected);
});

test.runIf(process.platform !== "win32")(
  "a path is followed through all its links, and never through a process's own",
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-place-")));
    try {
      const place = join(base, "place");
      mkdirSync(join(place, "deep"), { recursive: true });
      writeFileSync(join(place, "file"), "");
      const link = (name: string, target: string) => {
        symlinkSync(target, join(base, name));
        return join(base, name);
      };
      const places: [string, string | undefined][] = [
        [place, place],
        [`${place}/deep/./..//file`, join(place, "file")],
        [link("absolute", place), place],
        [`${link("relative", "place/deep")}/../file`, join(place, "file")],
        [link("through", "absolute/deep/../deep"), join(place, "deep")],
        [link("round", "round"), undefined],
        [link("nowhere", "missing"), undefined],
        [join(place, "file", "below"), undefined],
        ["/dev/null", undefined],
        ["/dev/fd/0", undefined],
      ];
      if (process.platform === "linux") {
        // This process's own folder would be in reach by each of them.
        const own = [
          "/proc/self/cwd",
          "/proc/thread-self/cwd",
          `/proc/${process.pid}/cwd`,
          "/proc/self/root",
          "/dev/stdin",
        ];
        places.push(...own.map((path): [string, undefined] => [path, undefined]));
        places.push([link("cwd", "/proc/self/cwd"), undefined]);
        places.push([join(link("proc", "/proc"), "self", "cwd"), undefined]);
        places.push([link("near", relative(base, "/proc/self/cwd")), undefined]);
        places.push([link("twice", "near/package.json"), undefined]);
        places.push([join(link("back", "/proc/self/root"), place), undefined]);
      }
      for (const [path, real] of places) expect([path, await realPlace(path)]).toEqual([path, real]);
    } finally {
      rmSync(base, { recursive: true });
    }
  },
);
