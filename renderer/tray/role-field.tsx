import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { useId, useLayoutEffect, useRef } from "react";
import { Role } from "../../core/protocol/records.ts";
import { Icon } from "../ui/icon.tsx";
import { Popover } from "../ui/popover.tsx";
import { roleWords } from "../ui/words.ts";
import { PanelIcon } from "./icons.tsx";
import { words } from "./words/index.ts";

interface RoleFieldProps {
  readonly name: string;
  readonly role: Role;
  /** Another role is on its way: none is chosen meanwhile. */
  readonly isChanging: boolean;
  readonly change: (role: Role) => void;
}

/** A button with the role of a person, which opens the roles with what each may do. */
export function RoleField({ name, role, isChanging, change }: RoleFieldProps) {
  return (
    <span className="role-field">
      <Popover
        button={
          <>
            {roleWords[role]}
            <Icon name="down" size={12} />
          </>
        }
        label={words.people.roleOf(name, roleWords[role])}
        className="button outlined small"
        side="roomier"
        isOff={isChanging}
      >
        {(close) => (
          <RoleChoices
            role={role}
            choose={(chosen) => {
              close();
              if (chosen !== undefined) change(chosen);
            }}
          />
        )}
      </Popover>
    </span>
  );
}

interface RoleChoicesProps {
  readonly role: Role;
  /** Called with another role, or with none where the one that the person has is pressed. */
  choose(role: Role | undefined): void;
}

/** The roles, each with what it may do. The arrow keys only move between them: none is given on the way to another. */
function RoleChoices({ role, choose }: RoleChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => list.current?.querySelector<HTMLElement>("[data-state=on]")?.focus(), []);
  return (
    <ToggleGroup.Root
      ref={list}
      type="single"
      className="role-choices"
      aria-label={words.people.role}
      value={role}
      onValueChange={(value) => choose(Role.options.find((option) => option === value))}
    >
      {Role.options.map((option) => (
        <ToggleGroup.Item
          key={option}
          value={option}
          className="role-choice"
          aria-labelledby={`${id}-${option}-name`}
          aria-describedby={`${id}-${option}-rights`}
        >
          <span className="role-mark">{option === role && <PanelIcon name="check" size={14} />}</span>
          <span id={`${id}-${option}-name`}>{roleWords[option]}</span>
          <span id={`${id}-${option}-rights`} className="panel-faint">
            {words.invite.rights[option]}
          </span>
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
