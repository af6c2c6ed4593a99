import type { OperatorRole } from "#server/accounts/authorize.ts";
import { Select } from "../../ui/field/field.tsx";
import { operatorRoleLabels } from "./role-labels.ts";

export const RoleSelect = ({ selected }: { selected: OperatorRole }) => (
  <Select label="Role" name="role" defaultValue={selected}>
    {Object.entries(operatorRoleLabels).map(([value, { name, summary }]) => (
      <option key={value} value={value}>
        {name}: {summary}
      </option>
    ))}
  </Select>
);

/** The role that a form sends. */
export const roleOf = (form: FormData): OperatorRole => {
  const value = form.get("role");
  return value === "admin" || value === "support" ? value : "viewer";
};
