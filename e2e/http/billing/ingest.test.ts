import { expect, test } from "vitest";
import { postJson, send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

/** With INGEST_BATCHES set (for example to 300), the test also measures the throughput. */
const batches = Number(process.env["INGEST_BATCHES"] ?? 2);
const isMeasured = process.env["INGEST_BATCHES"] !== undefined;
const senders = 2;

test(`${batches} batches of 1,000 events by ${senders} senders: each event counts once (docs/spec/billing.md, Performance targets)`, async () => {
  const merchant = await registerMerchant(sandboxUrl, { metadata: { scope: "billing.read billing.write" } });
  const [writing, reading] = [
    await clientToken(merchant, { scope: "billing.write" }),
    await clientToken(merchant, { scope: "billing.read" }),
  ];
  const time = new Date(Date.now() - 60_000).toISOString();
  const bodyOf = (batch: number) => ({
    events: Array.from({ length: 1_000 }, (_, index) => ({
      id: `req_${batch}_${index}`,
      source: "search-api",
      meter: "searches",
      time,
      subject: `customer-${index % 50}`,
      quantity: 1 + (index % 9),
    })),
  });
  let next = 0;
  const sendAll = async () => {
    while (next < batches) {
      const body = bodyOf(next++);
      const headers = { authorization: `Bearer ${writing}` };
      const answer = await postJson(`${sandboxUrl}/billing/usage-events`, body, headers);
      expect(answer.json).toMatchObject({ accepted: 1_000 });
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: senders }, sendAll));
  const perSecond = Math.round((batches * 1_000_000) / (performance.now() - startedAt));
  const period = `from=${time}&to=${new Date().toISOString()}`;
  const usage = await send(`${sandboxUrl}/billing/usage?${period}`, {
    headers: { authorization: `Bearer ${reading}` },
  });
  expect(usage.json).toMatchObject({ own_meters: { data: [{ meter: "searches", count: batches * 1_000 }] } });
  if (!isMeasured) return;
  process.stdout.write(`${perSecond} events/s\n`);
  expect(perSecond).toBeGreaterThanOrEqual(5_000);
}, 300_000);
