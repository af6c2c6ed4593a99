import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { settleCharge } from "../../charges/charge/settle-charge.ts";
import { findCharge } from "../../data/charges/charges.ts";

let deps: TestDeps;
let bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
});
afterAll(() => deps.close());

const timeZone = "Europe/Berlin";
const dayMs = 86_400_000;

// The reference model: a period is a label computed from the local date, and a counter is the sum of
// all payments with the current label.
const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
const dateOf = (instant: Date): string => format.format(instant);
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** The date some months after another, on the same day or the last day of the month. */
const monthsAfter = (date: string, months: number): string => {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
};
const consentMonth = (anchor: string, date: string): number => {
  let months = 0;
  while (monthsAfter(anchor, months + 1) <= date) months += 1;
  return months;
};

const limits = [
  { period: "day", alignment: "calendar", max_amount: 900, max_payments: 4 },
  { period: "week", alignment: "calendar", max_amount: 1_500 },
  { period: "week", alignment: "consent", max_payments: 7 },
  { period: "month", alignment: "calendar", max_amount: 3_000 },
  { period: "month", alignment: "consent", max_amount: 2_500, max_payments: 11 },
] as const;
const labels: Readonly<Record<string, (anchor: string, date: string) => string | number>> = {
  "day:calendar": (_, date) => date,
  // 1 January 1970 was a Thursday.
  "week:calendar": (_, date) => Math.floor((dayNumber(date) + 3) / 7),
  "week:consent": (anchor, date) => Math.floor((dayNumber(date) - dayNumber(anchor)) / 7),
  "month:calendar": (_, date) => date.slice(0, 7),
  "month:consent": consentMonth,
};
const lifetime = { max_amount_per_payment: 500, max_total_amount: 6_000, max_payments: 40 };

type Payment = { chargeId: string; amount: number; date: string; state: "used" | "held" | "released" };

const sum = (payments: readonly Payment[], state: Payment["state"]) =>
  payments.filter((payment) => payment.state === state).reduce((total, { amount }) => total + amount, 0);
const isCounted = ({ state }: Payment) => state !== "released";

const expectedRefusals = (
  payments: readonly Payment[],
  { anchor, date, amount }: { anchor: string; date: string; amount: number },
): string[] => {
  const refusals = amount > lifetime.max_amount_per_payment ? ["max_amount_per_payment"] : [];
  const check = (within: readonly Payment[], caps: { max_amount?: number; max_payments?: number }, name: string[]) => {
    const counted = within.filter(isCounted);
    const total = counted.reduce((all, payment) => all + payment.amount, 0);
    if (caps.max_amount !== undefined && total + amount > caps.max_amount) refusals.push(name[0] ?? "");
    if (caps.max_payments !== undefined && counted.length + 1 > caps.max_payments) refusals.push(name[1] ?? "");
  };
  for (const limit of limits) {
    const key = `${limit.period}:${limit.alignment}`;
    const label = labels[key] ?? (() => "");
    const within = payments.filter((payment) => label(anchor, payment.date) === label(anchor, date));
    check(within, limit, [`periodic_limits[${key}].max_amount`, `periodic_limits[${key}].max_payments`]);
  }
  const { max_total_amount: max_amount, max_payments } = lifetime;
  check(payments, { max_amount, max_payments }, ["max_total_amount", "max_payments"]);
  return refusals;
};

const step = fc.record({
  minutes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 48 * 60 })),
  amount: fc.integer({ min: 1, max: 505 }),
  outcome: fc.constantFrom("succeeded" as const, "held" as const, "declined" as const, "succeeded" as const),
  /** an earlier hold that is settled before this payment, with its outcome; null: none */
  settle: fc.option(
    fc.record({ place: fc.nat(20), outcome: fc.constantFrom("succeeded" as const, "declined" as const) }),
  ),
});

const declined = { kind: "declined", declineCode: "generic_decline", retryable: false, advice: "No." } as const;
const outcomeOf = (outcome: "succeeded" | "declined") =>
  outcome === "succeeded" ? ({ kind: "succeeded", processorRef: "r" } as const) : { ...declined, processorRef: "r" };

describe("all limits, held, used and released, against a reference model (docs/spec/payments.md, Limits and periods)", () => {
  // The payments span a month without the anchor's day, and a daylight-saving change.
  test.each(["2027-01-30T22:30:00Z", "2027-03-24T23:30:00Z", "2027-10-20T10:00:00Z"])(
    "payments from %s on: a charge counts in the periods that contain its created_at, whenever it settles",
    async (start) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 80 }), async (steps) => {
          deps.clock.set(new Date(start));
          const setup = await makeChargeableMandate(deps, {
            ...lifetime,
            periodic_limits: [...limits],
            time_zone: timeZone,
          });
          const anchor = dateOf(deps.clock.now());
          const payments: Payment[] = [];
          for (const { minutes, amount, outcome, settle } of steps) {
            deps.clock.advance(minutes * 60);
            if (settle) await settleHeld(payments, settle);
            if ((await setup.counters()).state === "consumed") break;
            const date = dateOf(deps.clock.now());
            bank = scriptedProcessor();
            if (outcome === "declined") bank.state.pay = async () => outcomeOf("declined");
            if (outcome === "held") bank.state.pay = async () => ({ kind: "processing", processorRef: "r" });
            const answer = await setup.charge({ amount }).catch(constraintsOf);
            expect("refusals" in answer ? answer.refusals : []).toEqual(
              expectedRefusals(payments, { anchor, date, amount }),
            );
            if ("chargeId" in answer) {
              const state = outcome === "succeeded" ? "used" : outcome === "held" ? "held" : "released";
              payments.push({ chargeId: answer.chargeId, amount, date, state });
            }
            const isDone =
              sum(payments, "held") === 0 &&
              (sum(payments, "used") >= lifetime.max_total_amount ||
                payments.filter(({ state }) => state === "used").length >= lifetime.max_payments);
            expect(await setup.counters()).toMatchObject({
              state: isDone ? "consumed" : "active",
              used: BigInt(sum(payments, "used")),
              held: BigInt(sum(payments, "held")),
              usedCount: BigInt(payments.filter(({ state }) => state === "used").length),
              heldCount: BigInt(payments.filter(({ state }) => state === "held").length),
            });
          }
        }),
        { numRuns: 3, endOnFailure: true },
      );
    },
  );
});

const constraintsOf = (error: { members?: { reasons?: { constraint: string }[] } }): { refusals: string[] } => {
  const reasons = error.members?.reasons;
  if (!reasons) throw error;
  return { refusals: reasons.map(({ constraint }) => constraint) };
};

const settleHeld = async (
  payments: readonly Payment[],
  { place, outcome }: { place: number; outcome: "succeeded" | "declined" },
): Promise<void> => {
  const held = payments.filter(({ state }) => state === "held");
  const payment = held[place % Math.max(held.length, 1)];
  const charge = payment && (await findCharge(deps.db.sql, payment.chargeId));
  if (!payment || !charge) return;
  await settleCharge(deps, charge, { event: outcomeOf(outcome), by: { kind: "reconciler", requestId: "r" } });
  payment.state = outcome === "succeeded" ? "used" : "released";
};
