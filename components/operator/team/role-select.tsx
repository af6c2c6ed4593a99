import type { OperatorRole } from "#server/accounts/authorize.ts";
import { ExplainedSelect } from "../../ui/field/explained-select.tsx";
import { operatorRoleLabels } from "./role-labels.ts";

export const RoleSelect = ({ selected }: { selected: OperatorRole }) => (
  <ExplainedSelect
    label="Role"
    name="role"
    selected={selected}
    options={Object.entries(operatorRoleLabels).map(([value, { name, summary }]) => ({
      value,
      name,
      meaning: summary,
    }))}
  />
);

/** The role that a form sends. */
export const roleOf = (form: FormData): OperatorRole => {
  const value = form.get("role");
  return value === "admin" || value === "support" ? value : "viewer";
};
