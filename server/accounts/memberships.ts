import { listMembershipsOfAccount, type MembershipRow, selectMemberRole } from "../data/merchants/members.ts";
import type { Deps } from "../deps/deps.ts";
import type { MerchantRole } from "./authorize.ts";

export type Membership = MembershipRow;

/** The role of an account in a merchant's organization, for `authorize`; null if the account isn't a member. */
export const findMemberRole = (
  deps: Pick<Deps, "db">,
  input: { accountId: string; merchantId: string },
): Promise<MerchantRole | null> => selectMemberRole(deps.db, input);

/** The merchants of which an account is a member, sorted by name. */
export const listMemberships = (deps: Pick<Deps, "db">, input: { accountId: string }): Promise<Membership[]> =>
  listMembershipsOfAccount(deps.db, input.accountId);
