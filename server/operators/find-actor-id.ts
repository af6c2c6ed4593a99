import { findAccountByEmail } from "../data/accounts/accounts.ts";
import type { Deps } from "../deps/deps.ts";
import { tidyEmail } from "../kernel/text/email-address.ts";

/** The id by which the audit log names an actor. @param name an id, or the e-mail address of an account. */
export const findActorId = async ({ db }: Pick<Deps, "db">, { name }: { name: string }): Promise<string> => {
  if (!name.includes("@")) return name;
  // The audit log names actors only by id, so a search for an e-mail address without an account finds nothing.
  return (await findAccountByEmail(db, tidyEmail(name)))?.id ?? name;
};
