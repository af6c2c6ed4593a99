import { findAccountByEmail } from "../data/accounts/accounts.ts";
import type { Deps } from "../deps/deps.ts";
import { tidyEmail } from "../kernel/text/email-address.ts";

/** The id of an actor in the audit log, which has no addresses. @param name an id, or the address of an account. */
export const findActorId = async ({ db }: Pick<Deps, "db">, { name }: { name: string }): Promise<string> => {
  if (!name.includes("@")) return name;
  // No entry has an address as its actor, so an address without an account finds nothing.
  return (await findAccountByEmail(db, tidyEmail(name)))?.id ?? name;
};
