import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { useState } from "react";
import { AuditLog } from "./audit-log.tsx";
import { NotificationHistory } from "./notification-history.tsx";
import { words } from "./words/index.ts";

/** The audit log and past notifications. */
export function ActivityTab() {
  const [part, setPart] = useState("commands");
  return (
    <>
      <ToggleGroup.Root
        type="single"
        className="segments panel-parts"
        aria-label={words.activity.kind}
        value={part}
        onValueChange={(value) => {
          if (value !== "") setPart(value);
        }}
      >
        <ToggleGroup.Item value="commands" className="segment">
          {words.activity.audit}
        </ToggleGroup.Item>
        <ToggleGroup.Item value="notices" className="segment">
          {words.activity.notifications}
        </ToggleGroup.Item>
      </ToggleGroup.Root>
      {part === "commands" ? <AuditLog /> : <NotificationHistory />}
    </>
  );
}
