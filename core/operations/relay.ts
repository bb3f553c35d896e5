import { z } from "zod";
import { AuditEntry, AuditHead, AuditQuery, AuditVerification } from "../protocol/audit.ts";
import { Finding } from "../protocol/health.ts";
import { SessionId, ShellId } from "../protocol/ids.ts";
import { NotificationRecord } from "../protocol/notification-record.ts";
import { ShellHostStatus } from "../protocol/shell-host.ts";
import { operation } from "./operation.ts";

/** The relay as a whole: its audit log, its shell host, the notifications of its owner. */
export const relayOperations = {
  audit: operation({
    summary: "List the audit log: every authentication and every changing call, the newest first",
    details: "For keys without restrictions. Parameters that may hold secrets are replaced by their length.",
    params: AuditQuery,
    result: z.array(AuditEntry),
    access: "unrestricted",
    effect: "read",
    http: { method: "GET", path: "audit" },
    panel: true,
  }),
  verifyAudit: operation({
    summary: "Check that no entry of the audit log was changed or removed",
    details:
      "Each entry has a hash of its content and of the entry before. A program that can write the database can compute all of them anew: to detect that, keep `head` elsewhere and pass it to a later call.",
    params: z.object({
      head: AuditHead.optional().describe("the `head` of an earlier call: that entry must still be in the chain"),
    }),
    result: AuditVerification,
    access: "unrestricted",
    effect: "read",
    http: { method: "GET", path: "audit/verify" },
  }),
  listNotifications: operation({
    summary: "List past notifications of the desktop app, the newest first",
    details: "The last 500, including those that a pause or quiet hours suppressed.",
    params: z.object({}),
    result: z.array(NotificationRecord),
    access: "unrestricted",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "notifications" },
    cli: { word: "notifications" },
    panel: true,
  }),
  checkHealth: operation({
    summary: "Check everything that Patchbay needs, and say what to do where something is wrong",
    details:
      "The checks of `service doctor` on the relay's machine, by the relay itself. For its owner, with a key without restrictions.",
    params: z.object({}),
    result: z.array(Finding),
    access: "unrestricted",
    owner: "relay",
    closedToShells: true,
    effect: "read",
    http: { method: "GET", path: "doctor" },
    panel: true,
  }),
  getShellHost: operation({
    summary: "Show the state of the shell host",
    details: "For keys of the relay's owner.",
    params: z.object({}),
    result: ShellHostStatus,
    access: "read",
    owner: "relay",
    effect: "read",
    http: { method: "GET", path: "shell-host" },
    cli: {
      word: "shell-host",
      action: "status",
      wordSummary: "show the state of the shell host, or restart it",
      isDefault: true,
      examples: ["shell-host"],
    },
  }),
  restartShellHost: operation({
    summary: "End the shell host, even while it hangs, and start another",
    details: "All shells end with it. For unrestricted keys of the relay's owner.",
    params: z.object({
      force: z.boolean().default(false).describe("restart although shells run; they end"),
    }),
    result: z.object({
      pid: z.int().nullable(),
      ended: z.array(z.object({ session: SessionId, shellId: ShellId, title: z.string() })),
    }),
    access: "unrestricted",
    owner: "relay",
    effect: "change",
    http: { method: "POST", path: "shell-host/restart" },
    cli: { word: "shell-host", action: "restart", examples: ["shell-host restart --force"] },
  }),
} as const;
