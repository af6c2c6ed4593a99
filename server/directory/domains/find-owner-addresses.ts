import type { Sql } from "../../data/client.ts";
import type { ParticipantRow } from "../../data/directory/participants.ts";
import type { MailAddressee } from "../../data/mail/recipients.ts";
import { listMerchantManagers } from "../../data/merchants/members.ts";
import { verifiedContacts } from "../rules/verified-contacts.ts";

/**
 * The recipients of e-mails about a participant: the owners and admins of its merchant or, without a merchant, its
 * contacts at its verified domains. The time zone of a contact is unknown, so its e-mail has times in UTC.
 * @param alsoVerified domains to treat as verified, even if a failed check has just ended their verification.
 */
export const findOwnerAddresses = async (
  sql: Sql,
  { merchantId, contacts, verifiedDomains }: Pick<ParticipantRow, "merchantId" | "contacts" | "verifiedDomains">,
  alsoVerified: readonly string[] = [],
): Promise<MailAddressee[]> =>
  merchantId === null
    ? verifiedContacts(contacts, [...alsoVerified, ...verifiedDomains.map(({ domain }) => domain)]).map((email) => ({
        email,
        timeZone: "UTC",
      }))
    : listMerchantManagers(sql, merchantId);
