import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { AgentLab, session, until } from "./agent-lab.ts";
const C = "/tmp/h4/cli";
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms));
test("two codex tuis", { timeout: 90000 }, async () => {
  const lab = new AgentLab();
  try {
    const url = await lab.stub("openai-responses-stub.mjs"); const cwd = lab.folder("work", "c"); execFileSync("git", ["init", "-q", cwd]);
    writeFileSync(join(lab.folder(".codex"), "config.toml"), `model = "gpt-5.5"\nmodel_provider = "stub"\ncheck_for_update_on_startup = false\n[model_providers.stub]\nname = "Local stub"\nbase_url = "${url}/v1"\nenv_key = "STUB_OPENAI_KEY"\nwire_api = "responses"\n[projects."${cwd}"]\ntrust_level = "trusted"\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`);
    const a = lab.shell(cwd, { STUB_OPENAI_KEY: "x" }); const b = lab.shell(cwd, { STUB_OPENAI_KEY: "x" });
    lab.agents.start(); await until("p", () => a.output().includes("ready> ") && b.output().includes("ready> "));
    a.run(`${C}/codex-0.169/node_modules/.bin/codex`); await pause(5000);
    b.run(`${C}/codex-0.169/node_modules/.bin/codex`); await pause(5000);
    console.log("AB", JSON.stringify(lab.agents.list(session).map((x) => [x.shellId, x.sessionId, x.state, x.reason])));
    b.pty.write("Second shell. ASK{echo b} SAY{Done b.}"); await pause(500); b.pty.write("\r"); await pause(3000);
    console.log("b asked", JSON.stringify(lab.agents.list(session).map((x) => [x.shellId, x.sessionId, x.state, x.reason, x.tokenUsage.output])));
    a.pty.write("First shell. RUN{echo a} SAY{Done a.}"); await pause(500); a.pty.write("\r"); await pause(4000);
    console.log("both", JSON.stringify(lab.agents.list(session).map((x) => [x.shellId, x.sessionId, x.state, x.reason, x.tokenUsage.output])));
    for (const one of lab.agents.list(session)) { const ev = await lab.agents.events(session, one.sessionId, { types: ["user_message"] }); console.log(one.shellId, ev.map((e) => e.text)); }
    a.pty.write("/new"); await pause(500); a.pty.write("\r"); await pause(2500); a.pty.write("New thread. SAY{New.}"); await pause(500); a.pty.write("\r"); await pause(4000);
    console.log("after /new", JSON.stringify(lab.agents.list(session).map((x) => [x.shellId, x.sessionId, x.state, x.tokenUsage.output])));
    console.log(lab.logged, JSON.stringify(lab.agents.sessions(session).map((s) => [s.sessionId, s.shellId, s.status, s.tokenUsage.output])));
  } finally { lab[Symbol.dispose](); }
});
test("gemini resumes an old document", { timeout: 60000 }, async () => {
  const lab = new AgentLab();
  try {
    const url = await lab.stub("gemini-stub.mjs"); const cwd = lab.folder("g"); execFileSync("git", ["init", "-q", cwd]);
    writeFileSync(join(lab.folder(".gemini"), "settings.json"), JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false }, telemetry: { enabled: false } }));
    writeFileSync(join(lab.folder(".gemini"), "trustedFolders.json"), JSON.stringify({ [cwd]: "TRUST_FOLDER" }));
    const shell = lab.shell(cwd, { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url });
    lab.agents.start(); await until("p", () => shell.output().includes("ready> "));
    shell.run(`${C}/gemini-0.25/node_modules/.bin/gemini -m gemini-2.5-pro --approval-mode yolo -p 'Old. RUN{sleep 1} SAY{Done.}'`);
    await until("old", () => lab.agents.list(session).some((x) => x.tokenUsage.output > 0)); await until("gone", () => lab.agents.list(session).length === 0);
    console.log("old", JSON.stringify(lab.agents.sessions(session).map((s) => [s.sessionId, s.status, s.tokenUsage])));
    shell.run(`${C}/gemini-0.61/node_modules/.bin/gemini --resume latest -m gemini-2.5-pro --approval-mode yolo -p 'New. RUN{sleep 3} SAY{Done.}'`);
    await until("new", () => lab.agents.list(session).length > 0); await until("gone", () => lab.agents.list(session).length === 0);
    await pause(1500);
    console.log("new", JSON.stringify(lab.agents.sessions(session).map((s) => [s.sessionId, s.status, s.tokenUsage])), lab.logged);
    console.log(execFileSync("find", [join(lab.home, ".gemini/tmp"), "-type", "f"], { encoding: "utf8" }));
    cpSync(join(lab.home, ".gemini"), "/tmp/h4/gemconv/.gemini", { recursive: true });
    console.log(execFileSync("cat", [join(lab.home, "gemini-stub.mjs.truth")], { encoding: "utf8" }).split("\n").map((l) => l.slice(0, 300)).join("\n"));
  } finally { lab[Symbol.dispose](); }
});
test("claude fork and clear", { timeout: 60000 }, async () => {
  const lab = new AgentLab();
  try {
    const url = await lab.stub("anthropic-stub.mjs"); const cwd = lab.folder("work", "proj.a"); const key = "sk-ant-stub-000-aaaaaaaaaaaaaaaaaaaa";
    writeFileSync(join(lab.home, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true, theme: "dark", projects: { [cwd]: { hasTrustDialogAccepted: true } }, customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] } }));
    const shell = lab.shell(cwd, { IS_SANDBOX: "1", ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" });
    lab.agents.start(); await until("p", () => shell.output().includes("ready> "));
    const bin = `${C}/claude-2.1.197/node_modules/.bin/claude`;
    shell.run(`${bin} -p 'One. RUN{sleep 2} SAY{Finished.}' --model claude-sonnet-4-5 --allowedTools Bash --session-id 77777777-7777-4777-8777-777777777777 < /dev/null`);
    await until("first", () => lab.agents.sessions(session).length === 1); await until("gone", () => lab.agents.list(session).length === 0); await pause(500);
    shell.run(`${bin} --resume 77777777-7777-4777-8777-777777777777 --fork-session --model claude-sonnet-4-5`);
    await until("listed", () => lab.agents.list(session).length > 0); await pause(3000);
    shell.pty.write("Two. SAY{Forked.}"); await pause(300); shell.pty.write("\r"); await pause(3000);
    console.log("fork", JSON.stringify(lab.agents.sessions(session).map((s) => [s.sessionId, s.status, s.tokenUsage])), JSON.stringify(lab.agents.cost(session, { explain: true }).explain?.sessions));
    shell.pty.write("/clear"); await pause(500); shell.pty.write("\r"); await pause(2000);
    shell.pty.write("Three. SAY{Cleared.}"); await pause(300); shell.pty.write("\r"); await pause(3000);
    console.log("clear", JSON.stringify(lab.agents.sessions(session).map((s) => [s.sessionId, s.status, s.tokenUsage])), lab.logged);
    console.log(execFileSync("cat", [join(lab.home, "anthropic-stub.mjs.truth")], { encoding: "utf8" }).split("\n").map((l) => l.slice(0, 400)).join("\n"));
  } finally { lab[Symbol.dispose](); }
});
