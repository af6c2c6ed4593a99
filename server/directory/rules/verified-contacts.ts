import { verifiedDomainOf } from "../../kernel/text/verified-domain.ts";

/**
 * The contacts whose address is at one of the participant's verified domains, or at a subdomain. Anyone can enter any
 * address as a contact, so an address elsewhere gets no e-mail.
 */
export const verifiedContacts = (contacts: readonly string[], domains: readonly string[]): string[] =>
  contacts.filter((contact) => {
    const host = contact.slice(contact.lastIndexOf("@") + 1).toLowerCase();
    return verifiedDomainOf(host, domains) !== null;
  });
