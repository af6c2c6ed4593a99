import { findMemberRole as findRole, listMembershipsOfAccount } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import type { MerchantRole } from "./authorize.ts";

export type Membership = { merchantId: string; name: string; role: MerchantRole; isSuspended: boolean };

/** What an account is in a merchant's organisation, for the one decision about who may do what; null where it is nothing. */
export const findMemberRole = (
  deps: Pick<Deps, "db">,
  input: { accountId: string; merchantId: string },
): Promise<MerchantRole | null> => findRole(deps.db, input);

/** The merchants that an account is a member of, by name. */
export const listMemberships = (deps: Pick<Deps, "db">, input: { accountId: string }): Promise<Membership[]> =>
  listMembershipsOfAccount(deps.db, input.accountId);
