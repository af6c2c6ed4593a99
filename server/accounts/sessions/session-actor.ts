import type { Deps } from "../../deps/deps.ts";
import type { AccessActor } from "../rules/authorize.ts";
import { isRecentProof } from "../rules/recent-proof.ts";
import type { SessionContext } from "./find-session.ts";

/** Who acts in a session, for `authorize`. */
export const sessionActor = (
  { clock }: Pick<Deps, "clock">,
  { account, authTime, hasSecondFactor }: SessionContext,
): AccessActor => ({
  kind: "account",
  id: account.id,
  operatorRole: account.operatorRole,
  hasRecentProof: isRecentProof(authTime, clock.now()),
  hasSecondFactor,
});
