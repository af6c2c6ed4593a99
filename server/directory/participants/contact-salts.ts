import { randomBytes } from "node:crypto";

/**
 * The salts of a participant's changed list of contacts. A contact that was in the list before keeps its salt, and a
 * new contact gets a random salt of 128 bits. Salts of removed contacts are left out.
 */
export const saltsOf = (
  contacts: readonly string[],
  before: { contacts: readonly string[]; contactSalts: readonly string[] },
): string[] =>
  contacts.map(
    (contact) => before.contactSalts[before.contacts.indexOf(contact)] ?? randomBytes(16).toString("base64url"),
  );
