import type { Deps } from "../../deps/deps.ts";
import type { SessionContext } from "../sessions/find-session.ts";
import { findSecondFactorStep } from "./find-second-factor-step.ts";
import { secondFactorRefusal } from "./second-factor-refusal.ts";

/**
 * Guards changes of an operator's sign-in methods: if an account has a second factor, a person who knows only the
 * password must not add another. An account without a second factor may set up its first.
 * @throws DomainError second_factor_required.
 */
export const requireSecondFactor = async (
  deps: Pick<Deps, "db">,
  session: Pick<SessionContext, "account" | "hasSecondFactor">,
): Promise<void> => {
  if (session.account.operatorRole === null) return;
  if ((await findSecondFactorStep(deps, session)).kind === "enter") throw secondFactorRefusal();
};
