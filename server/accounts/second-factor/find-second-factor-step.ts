import { countSecondFactors } from "../../data/accounts/second-factors.ts";
import type { Deps } from "../../deps/deps.ts";
import type { SessionContext } from "../sessions/find-session.ts";

export type SecondFactorStep =
  | { kind: "none" }
  /** The account has no second factor yet. */
  | { kind: "set_up" }
  | { kind: "enter"; hasPasskey: boolean; hasTotp: boolean };

/** The step that an operator must complete before opening the console (docs/spec/portal.md, Operators). */
export const findSecondFactorStep = async (
  { db }: Pick<Deps, "db">,
  { account, hasSecondFactor }: Pick<SessionContext, "hasSecondFactor"> & { account: { id: string } },
): Promise<SecondFactorStep> => {
  if (hasSecondFactor) return { kind: "none" };
  const { passkeys, hasTotp } = await countSecondFactors(db.sql, account.id);
  return passkeys === 0 && !hasTotp ? { kind: "set_up" } : { kind: "enter", hasPasskey: passkeys > 0, hasTotp };
};
