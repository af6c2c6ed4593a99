import { type Sql, statement } from "./client.ts";
import type { WebhookOwner } from "./webhook-endpoints.ts";

const ofMerchant = statement<{ email: string }>(
  "list_merchant_webhook_contacts",
  `SELECT a.email FROM merchant_member m JOIN account a ON a.id = m.account_id
    WHERE m.merchant_id = $1 AND m.role IN ('owner', 'admin') ORDER BY 1`,
);

/** RFC 7591 §2: ways to reach whoever is responsible, mostly addresses. */
const ofClient = statement<{ email: string }>(
  "list_client_webhook_contacts",
  `SELECT DISTINCT contact AS email FROM client c, jsonb_array_elements_text(coalesce(c.metadata->'contacts', '[]')) contact
    WHERE c.id = $1 AND contact ~ '^[^@\\s]+@[^@\\s]+$' ORDER BY 1 LIMIT 5`,
);

/** @returns e-mail addresses of who looks after an owner's endpoints. */
export const listWebhookContacts = async (sql: Sql, owner: WebhookOwner): Promise<string[]> =>
  (await sql.query(owner.kind === "merchant" ? ofMerchant : ofClient, [owner.id])).map(({ email }) => email);
