import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { shows, startWebLab } from "./web-lab.ts";

/** Queries that the relay does not answer itself, reports of the focus, whose begin draws one at once, and one that it does. */
const QUERIES = String.raw`\033[?2004$p\033P$qm\033\134\033]4;1;?\033\134\033[18t\033[?1004h\033[?1004l\033[c`;

test("one terminal answers a program's queries, once: neither a reload nor a page that comes later does it again", async () => {
  await using lab = await startWebLab();
  const { page, id } = await lab.guest();
  const { shellId } = await lab.command<{ shellId: number }>("createShell", {}, id);
  // What it is answered and typed is printed as plain text.
  const data = `stty raw -echo; printf '${QUERIES}beg''in'; cat -v\n`;
  await lab.command("writeToShell", { id: shellId, literal: true, data }, id);
  const read = async () => {
    const { output } = await lab.command<{ output: string }>("getShellOutput", { id: shellId });
    return output.split("begin")[1] ?? "";
  };
  await until("the answers", async () => (await read()).includes("^[[?62;"));
  const answers = await read();
  for (const answer of ["^[[?2004;2$y", "^[P1$r0m", "^[]4;1;rgb:", "^[[8;", "^[[?62;"]) {
    expect(answers.split(answer), answer).toHaveLength(2);
  }

  await page.reload();
  await shows(page, "begin");
  const other = await lab.guest();
  await lab.command("openTile", { type: "shell", shell: shellId }, other.id);
  await shows(other.page, "begin");
  // What a page answers is sent before what it is asked to type.
  for (const { keyboard } of [page, other.page]) await keyboard.type("x");
  await until("what was typed", async () => (await read()).endsWith("xx"));
  expect(await read()).toBe(`${answers}xx`);
});
