import type { OperatorRole } from "../../accounts/authorize.ts";
import type { Deps } from "../../deps/deps.ts";
import { type RoleChange, setRole } from "./set-role.ts";

/** Changes the role of an operator, effective immediately. @throws DomainError as `setRole` does. */
export const changeOperatorRole = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  change: RoleChange & { role: OperatorRole },
): Promise<void> => deps.db.transaction((tx) => setRole(deps, tx, change));
