import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { type Sql, statement } from "../client.ts";
import { listMerchantManagers } from "../merchants/members.ts";
import type { WebhookOwner } from "./webhook-endpoints.ts";

const maxContacts = 5;

/** RFC 7591 §2: ways to contact the responsible people, mostly e-mail addresses. */
const ofClient = statement<{ email: string }>(
  "list_client_webhook_contacts",
  `SELECT DISTINCT contact AS email FROM client c, jsonb_array_elements_text(coalesce(c.metadata->'contacts', '[]')) contact
    WHERE c.id = $1 ORDER BY 1`,
);

/** @returns e-mail addresses of the people responsible for an owner's endpoints. */
export const listWebhookContacts = async (sql: Sql, owner: WebhookOwner): Promise<string[]> =>
  owner.kind === "merchant"
    ? (await listMerchantManagers(sql, owner.id)).map(({ email }) => email)
    : (await sql.query(ofClient, [owner.id]))
        .map(({ email }) => email)
        .filter(isEmailAddress)
        .slice(0, maxContacts);
