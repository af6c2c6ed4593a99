import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { describeInstance, startTestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { untilStopped } from "../servers/until-stopped.ts";
import { measurePage } from "./measure-page.ts";

const charges = 1_000_000;
/** The target (docs/spec/portal.md, Pages). */
const p95Milliseconds = 150;

/**
 * Reads each list of charges as a page, with a million charges. A third belong to the demo payer, two thirds to the
 * demo merchant.
 * @throws StartError when a page fails or its p95 is above the target.
 */
export const runLists = (): Promise<void> =>
  untilStopped(async (begin) => {
    const instance = await step("service", async () =>
      startTestInstance(await testEnvironment({ WEB_CONCURRENCY: "1", OUTBOUND_LOOPBACK: "1" })),
    );
    await begin(Promise.resolve({ stop: () => instance.stop().then(instance.remove) }));
    const { E2E_SANDBOX_URL: baseUrl = "", TEST_DATABASE_URL: server = "" } = await describeInstance(instance);
    const client = new pg.Client({
      connectionString: Object.assign(new URL(server), { pathname: "paygrant_sandbox" }).toString(),
    });
    await client.connect();
    await begin(Promise.resolve({ stop: () => client.end() }));
    await step(`${charges.toLocaleString("en-GB")} charges`, () => fill(client));
    const pages = await listPages(client);
    const slow: string[] = [];
    for (const { address, cookie } of pages) {
      const { failed, p50, p95 } = await measurePage(baseUrl + address, { cookie });
      const isSlow = failed > 0 || !(p95 <= p95Milliseconds);
      if (isSlow) slow.push(address);
      const figures = `median ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms${failed > 0 ? `, ${failed} failed` : ""}`;
      process.stdout.write(`${isSlow ? "✗" : "✓"} ${address}  ${figures}\n`);
    }
    if (slow.length > 0) throw new StartError(`✗ p95 above ${p95Milliseconds} ms: ${slow.join(", ")}`);
  });

const decline = {
  code: "card_declined",
  decline_code: "insufficient_funds",
  retryable: true,
  advice: "Insufficient funds. Try again later, or ask for another payment method.",
};

/**
 * Inserts copies of one paid charge, spread over the last 81 days: a tenth are declined, a hundredth refunded. Two
 * thirds belong to 10,000 copies of the charge's mandate. The payer of these copies isn't the demo payer.
 */
const fill = async (client: pg.Client): Promise<void> => {
  await client.query(
    `INSERT INTO mandate
     SELECT (jsonb_populate_record(mandate, jsonb_build_object('id', 'mdt_other' || i, 'payer_id', account.id))).*
     FROM mandate, account, generate_series(0, 9999) AS i
     WHERE mandate.id = (SELECT mandate_id FROM charge WHERE reference = 'order-1231')
       AND account.email = 'operator@demo.paygrant.test'`,
  );
  const columns = `mandate_version, merchant_client_id, agent_client_id, currency, capture_method, payer_presence,
    metadata, periods, processor, processor_account, payment_method_ref, submitted_at, final_at`;
  await client.query(
    `INSERT INTO charge (id, merchant_id, mandate_id, payer_id, state, amount, amount_captured, amount_refunded,
                         reference, decline_code, decline, created_at, updated_at, ${columns})
     SELECT 'chg_' || lpad(i::text, 24, 'B'),
            CASE WHEN i % 3 = 0 THEN 'mch_other' || i % 1000 ELSE merchant_id END,
            CASE WHEN i % 3 = 1 THEN mandate_id ELSE 'mdt_other' || i % 10000 END,
            CASE WHEN i % 3 = 1 THEN payer_id ELSE 'acc_other' || i % 10000 END,
            CASE WHEN i % 10 = 0 THEN 'declined' WHEN i % 100 = 1 THEN 'refunded' ELSE 'succeeded' END::charge_state,
            100 + i % 9900, CASE WHEN i % 10 = 0 THEN 0 ELSE 100 + i % 9900 END,
            CASE WHEN i % 10 <> 0 AND i % 100 = 1 THEN 100 + i % 9900 ELSE 0 END,
            'bench-' || i, CASE WHEN i % 10 = 0 THEN 'insufficient_funds' END, CASE WHEN i % 10 = 0 THEN $2::jsonb END,
            now() - i * interval '7 seconds', now() - i * interval '7 seconds', ${columns}
     FROM (SELECT * FROM charge WHERE reference = 'order-1231') AS one, generate_series(1, $1::int) AS i`,
    [charges, JSON.stringify(decline)],
  );
  await client.query("VACUUM ANALYZE charge, mandate");
};

type ListPage = { address: string; cookie: string };

const listPages = async (client: pg.Client): Promise<ListPage[]> => {
  const signIn = async (name: string): Promise<string> => {
    const secret = randomBytes(32).toString("base64url");
    await client.query(
      `INSERT INTO session (id, secret_hash, account_id, created_at, last_seen_at, expires_at, auth_time, acr)
       SELECT 'ses_bench' || $1, $2, id, now(), now(), now() + interval '1 hour', now(), 'urn:paygrant:acr:password'
       FROM account WHERE email = $1 || '@demo.paygrant.test'`,
      [name, createHash("sha256").update(secret).digest("base64url")],
    );
    return `__Host-pg_test=${secret}`;
  };
  const lists = {
    payer: ["/wallet", "/wallet/activity", "/wallet/activity?show=failed", "/wallet/mandates"],
    merchant: [
      "/merchant",
      "/merchant?days=90",
      "/merchant/payments",
      "/merchant/payments?show=failed",
      "/merchant/payments?q=bench-500000",
      "/merchant/mandates",
      "/merchant/disputes",
    ],
    operator: [
      "/operator",
      "/operator/charges",
      "/operator/charges?q=bench-500000",
      "/operator/disputes",
      "/operator/payers",
      "/operator/clients",
      "/operator/mandates",
    ],
  };
  const pages: ListPage[] = [];
  for (const [name, addresses] of Object.entries(lists)) {
    const cookie = await signIn(name);
    pages.push(...addresses.map((address) => ({ address, cookie })));
  }
  return pages;
};
