import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Answer } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { chargeUntilFinal, makeChargeableMandate } from "../../support/oauth/mandate-flow.ts";
import { listPayments } from "../../support/peers/simulator-ledger.ts";

/**
 * How many seconds the run lasts. In each of them 200 charges are sent, all under one mandate. HOT_SECONDS=30 makes a
 * long run.
 */
const seconds = Number(process.env["HOT_SECONDS"] ?? 2);
const perSecond = 200;
const amount = 100;
const wanted = perSecond * seconds;
/** Exactly three of four charges are within the cap. */
const fitting = (wanted * 3) / 4;

const { sandboxUrl } = currentInstance();

test(`makes each charge within the cap exactly once and no charge above it, at ${perSecond} charges a second under one mandate for ${seconds} s (docs/spec/payments.md, Performance targets)`, {
  timeout: 600_000 + seconds * 20_000,
}, async () => {
  const mandate = await makeChargeableMandate(sandboxUrl, {
    max_amount_per_payment: amount,
    max_total_amount: fitting * amount,
    periodic_limits: [{ period: "day", alignment: "calendar", max_amount: fitting * amount + 1, max_payments: wanted }],
  });
  const latencies: number[] = [];
  const postponed = new Map<string, number>();
  const pay = async (): Promise<Answer> => {
    const since = performance.now();
    const answer = await chargeUntilFinal(
      mandate,
      { amount },
      {
        onRetryable: ({ status, json }) => {
          const outcome = `${status} ${json?.["code"] ?? json?.["status"]}`;
          postponed.set(outcome, (postponed.get(outcome) ?? 0) + 1);
        },
      },
    );
    latencies.push(performance.now() - since);
    return answer;
  };
  const startedAt = performance.now();
  const paying: Promise<Answer>[] = [];
  for (; paying.length < wanted; await sleep(2)) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (paying.length < Math.min(due, wanted)) paying.push(pay());
  }
  const answers = await Promise.all(paying);
  const took = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  console.log(
    `${wanted} charges of one mandate sent in ${seconds} s, answered in ${took.toFixed(1)} s; ` +
      `median ${latencies[Math.floor(wanted / 2)]?.toFixed(0)} ms, longest ${latencies.at(-1)?.toFixed(0)} ms; asked to retry later: ${JSON.stringify(Object.fromEntries(postponed))}`,
  );

  const charged = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 403);
  expect(
    [charged.length, refused.length],
    answers.find(({ status }) => status !== 201 && status !== 403)?.text,
  ).toEqual([fitting, wanted - fitting]);
  const payments = await listPayments("sandbox", mandate.merchant.merchantId);
  expect(payments.map((payment) => payment.charge_id).toSorted()).toEqual(
    charged.map(({ json }) => String(json?.["id"])).toSorted(),
  );
  expect(payments.reduce((sum, payment) => sum + payment.amount_captured, 0)).toBe(fitting * amount);
});
