import { addDays, dayIn, startOfDay } from "../../kernel/time/calendar.ts";
import { exactUnit, toExact } from "../rules/exact/exact.ts";
import {
  nearest,
  prorateSlowly,
  type SlowLine,
  slowInvoice,
  slowPartPrice,
  slowShares,
  toMinorSlowly,
} from "../rules/invoice/invoice-model.fixture.ts";
import type { InvoiceInput, LatePeriod, PrepaidGrant, RefundedFee, VoidedCredit } from "../rules/invoice/types.ts";
import type { MeterUsage, Price } from "../rules/plans/terms.ts";
import { slowPrice } from "../rules/prices/price-model.fixture.ts";
import type { Scenario, ScenarioPlan } from "./scenario.fixture.ts";

/**
 * The input of a simple, slow computation of all invoices of a merchant. The computation prices every period from all
 * facts, without stored results (docs/spec/billing.md, The billing run).
 */
export type Facts = {
  usage: { meter: string; quantity: bigint; time: Date; receivedAt: Date }[];
  charges: { amount: bigint; currency: string; at: Date; refunded: bigint }[];
  /** `failedAt`: when the refund failed at the bank; null: it didn't fail */
  refunds: { charge: number; amount: bigint; at: Date; failedAt: Date | null }[];
  /** invoices that were voided, by their currency and the end of their period */
  voids: { currency: string; to: Date; at: Date }[];
  /** only accepted changes */
  changes: { plan: number; effective: "now" | "period_end"; at: Date }[];
  /** the end of the subscription; null while it runs */
  end: Date | null;
  /** new tax regions of the merchant */
  regions: { region: Scenario["region"]; at: Date }[];
  grants: (PrepaidGrant & { currency: string })[];
};

/**
 * `late`: the 36 days after the end of the subscription. `further`: an additional part that follows `late` if an
 * invoice was voided.
 */
type Part = {
  kind: "regular" | "late" | "further";
  from: Date;
  to: Date;
  whole: { from: Date; to: Date };
  plan: number;
};
type Given = Pick<Scenario, "start" | "interval" | "timeZone" | "currency" | "other" | "region" | "plans">;

const dayMs = 24 * 3_600_000;
const firstInstant = (day: string, timeZone: string): Date => startOfDay(day, timeZone) ?? new Date(Number.NaN);

/** The anchor day this many months later. If the month is too short, its last day. */
const monthsAfter = (anchor: string, months: number): string => {
  const [year = 0, month = 0, day = 0] = anchor.split("-").map(Number);
  const index = year * 12 + month - 1 + months;
  const first = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}-01`;
  let found = first;
  for (let next = addDays(found, 1); next.slice(0, 7) === first.slice(0, 7) && Number(next.slice(8)) <= day; ) {
    found = next;
    next = addDays(next, 1);
  }
  return found;
};

/** The parts that ended before `until`, the part that contains `until`, and the plan of the part after that one. */
export const slowParts = (
  { start, interval, timeZone }: Given,
  { changes, end, voids }: Pick<Facts, "changes" | "end" | "voids">,
  until: Date,
) => {
  const anchor = dayIn(timeZone, start);
  const border = (index: number) => firstInstant(monthsAfter(anchor, index * (interval === "month" ? 1 : 3)), timeZone);
  const parts: Part[] = [];
  let number = 0;
  let pending: number | null = null;
  const first = { from: border(0), to: border(1) };
  let current: Part = { kind: "regular", ...first, whole: first, plan: 0 };
  const closeUntil = (at: Date) => {
    while (current.to <= at) {
      parts.push(current);
      number += 1;
      const whole = { from: border(number), to: border(number + 1) };
      current = { kind: "regular", ...whole, whole, plan: pending ?? current.plan };
      pending = null;
    }
  };
  for (const { plan, effective, at } of changes) {
    closeUntil(at);
    if (plan === current.plan) continue;
    if (effective === "period_end") {
      pending = plan;
      continue;
    }
    const day = firstInstant(dayIn(timeZone, at), timeZone);
    if (day > current.from) parts.push({ ...current, to: day });
    current = { ...current, from: day > current.from ? day : current.from, plan };
  }
  if (end === null || end > until) {
    closeUntil(until);
    return { parts, current, pending };
  }
  closeUntil(end);
  parts.push({ ...current, to: end }, ...partsAfter(end, voids));
  return { parts, current, pending };
};

/** The parts after the end of the subscription. After the last invoice, each void can cause a further invoice. */
const partsAfter = (end: Date, voids: Facts["voids"]): Part[] => {
  const partOf = (kind: Part["kind"], from: Date, to: Date): Part => ({ kind, from, to, whole: { from, to }, plan: 0 });
  const late = partOf("late", end, new Date(end.getTime() + 36 * dayMs));
  const times = voids.filter(({ at }) => at > finalAtOf(late)).map(({ at }) => at.getTime());
  return [late, ...[...new Set(times)].map((time) => partOf("further", late.to, new Date(time)))];
};

const countDays = (from: Date, to: Date, timeZone: string): number => {
  let days = 0;
  for (let day = dayIn(timeZone, from); day < dayIn(timeZone, to); day = addDays(day, 1)) days += 1;
  return days;
};

const isWithin = (at: Date, { from, to }: { from: Date; to: Date }): boolean => from <= at && at < to;
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
/** When the invoice of a part is final. The last UTC day of a regular part is compared one hour after that day ends. */
export const finalAtOf = ({ kind, to }: Pick<Part, "kind" | "to">): Date => {
  if (kind === "further") return to;
  const compared = kind === "regular" ? Math.ceil(to.getTime() / dayMs) * dayMs + 3_600_000 : 0;
  return new Date(Math.max(to.getTime() + dayMs, compared));
};

const pricesOf = ({ prices, otherFee }: ScenarioPlan, isMain: boolean): ReadonlyMap<string, Price> =>
  isMain ? prices : new Map([["successful_charges", otherFee]]);

const taxes: Readonly<Record<Scenario["region"], InvoiceInput["tax"]>> = {
  none: { category: "O", rate: 0n, behaviour: "exclusive" },
  DE: { category: "S", rate: 19n * exactUnit, behaviour: "exclusive" },
  FR: { category: "S", rate: 20n * exactUnit, behaviour: "inclusive" },
};

export type ModelInvoice = ReturnType<typeof slowInvoice> & {
  part: Part;
  currency: string;
  /** by meter: the number of events behind its usage */
  counts: Map<string, number>;
  behaviour: InvoiceInput["tax"]["behaviour"];
  isVoid: boolean;
};

/** All invoices that are final at this time, by currency and in the order in which they became final. */
export const slowInvoices = (given: Given, facts: Facts, until: Date): ModelInvoice[] => {
  const { parts } = slowParts(given, facts, until);
  const invoices: ModelInvoice[] = [];
  for (const currency of [given.currency, given.other]) {
    const account = new SlowAccount(given, facts, { currency, parts });
    for (const [index, part] of parts.entries()) {
      const before = parts.slice(0, index).filter(({ kind }) => kind === "regular");
      if (finalAtOf(part) <= until) invoices.push(account.bill(part, before));
    }
    account.voidUntil(until);
  }
  return invoices;
};

/** All amounts billed so far in one currency. */
class SlowAccount {
  #given: Given;
  #facts: Facts;
  #currency: string;
  #isMain: boolean;
  #parts: readonly Part[];
  #creditBalance = 0n;
  #grants: PrepaidGrant[];
  /** by part: the latest price of each meter and of the flat fee */
  #priced = new Map<Part, Map<string, { exact: bigint; quantity: bigint }>>();
  /** by part: the tax of the first invoice that had a line for the part */
  #taxes = new Map<Part, InvoiceInput["tax"]>();
  #invoices: ModelInvoice[] = [];
  /** the lines of void invoices that another invoice repeats */
  #repeated = new Set<SlowLine>();
  /** by the line's source: the part in which its refunds were made or failed */
  #refundPart = new Map<SlowLine["source"], Part>();
  /** the sources of the lines that `#correctWaived` made */
  #corrections = new Set<SlowLine["source"]>();
  /** what is credited for each refund */
  #credited = new Map<Facts["refunds"][number], bigint>();

  constructor(given: Given, facts: Facts, { currency, parts }: { currency: string; parts: readonly Part[] }) {
    this.#parts = parts;
    this.#given = given;
    this.#facts = facts;
    this.#currency = currency;
    this.#isMain = currency === given.currency;
    this.#grants = facts.grants.filter((grant) => grant.currency === currency);
  }

  #usage(part: Part, meter: string, asOf: Date): MeterUsage & { events: number } {
    if (meter === "successful_charges") {
      const charges = this.#facts.charges.filter(
        ({ currency, at }) => currency === this.#currency && isWithin(at, part) && at < asOf,
      );
      const amounts = charges.map(({ amount }) => ({ amountMinor: amount, count: 1n }));
      return { quantity: BigInt(charges.length), amounts, events: charges.length };
    }
    const own = this.#facts.usage.filter(
      (event) => `own:${event.meter}` === meter && isWithin(event.time, part) && event.receivedAt < asOf,
    );
    return { quantity: sum(own.map(({ quantity }) => quantity)), amounts: [], events: own.length };
  }

  #planOf({ plan }: Part): ScenarioPlan {
    return this.#given.plans[plan === 0 ? 0 : 1];
  }

  /** The earlier parts of the same period and plan, which have already used free units and tiers. */
  #earlier(part: Part): Part[] {
    const isEarlier = ({ from, whole, plan }: Part) =>
      +whole.from === +part.whole.from && plan === part.plan && from < part.from;
    return this.#parts.filter(isEarlier);
  }

  #price(part: Part, { meter, price, asOf }: { meter: string; price: Price; asOf: Date }): bigint {
    const before = this.#earlier(part).map((earlier) => this.#usage(earlier, meter, asOf));
    return slowPartPrice(price, this.#usage(part, meter, asOf), before);
  }

  #daysOf({ from, to, whole }: Part) {
    const { timeZone } = this.#given;
    return { used: countDays(from, to, timeZone), of: countDays(whole.from, whole.to, timeZone) };
  }

  /** The plan's maximum minus the fees of the earlier parts at the latest prices. */
  #maximumLeft(part: Part): bigint | null {
    const { maximum } = this.#planOf(part);
    if (maximum === null || !this.#isMain) return null;
    const fees = this.#earlier(part).flatMap((earlier) => [...(this.#priced.get(earlier)?.values() ?? [])]);
    return toExact(maximum) - sum(fees.map(({ exact }) => exact));
  }

  /** Corrections of parts, in time order. */
  #lateParts(parts: readonly Part[], asOf: Date): LatePeriod[] {
    const before = new Map(parts.map((part) => [part, this.#maximumLeft(part)]));
    return parts.map((part) => {
      const [was, after] = [before.get(part) ?? null, this.#maximumLeft(part)];
      const maximum = was === null || after === null ? null : { before: was, after };
      const tax = this.#taxes.get(part);
      return { ...this.#late(part, asOf), maximum, ...(tax ? { tax } : {}) };
    });
  }

  #taxAt(asOf: Date): InvoiceInput["tax"] {
    const moved = this.#facts.regions.filter(({ at }) => at <= asOf).at(-1);
    return taxes[moved?.region ?? this.#given.region];
  }

  #keepTaxes(part: Part, before: readonly Part[], input: InvoiceInput): void {
    const none = { ...input, parts: [], late: [], refunds: [], voided: [] };
    const keep = (one: Part | undefined, lines: Partial<InvoiceInput>) => {
      const hasLines = slowInvoice({ ...none, ...lines }).lines.length > 0;
      if (one && hasLines && !this.#taxes.has(one)) this.#taxes.set(one, input.tax);
    };
    keep(part, { parts: input.parts });
    for (const [index, late] of input.late.entries()) keep(before[index], { late: [late] });
  }

  #late(part: Part, asOf: Date): LatePeriod {
    const plan = this.#planOf(part);
    const priced = this.#priced.get(part) ?? new Map<string, { exact: bigint; quantity: bigint }>();
    const pricedExact = sum([...priced.values()].map(({ exact }) => exact));
    const corrections = [...pricesOf(plan, this.#isMain)].flatMap(([meter, price]) => {
      const usage = this.#usage(part, meter, asOf);
      const before = priced.get(meter) ?? { exact: 0n, quantity: 0n };
      const quantity = usage.quantity - before.quantity;
      const trueExact = this.#price(part, { meter, price, asOf });
      if (quantity === 0n && trueExact === before.exact) return [];
      priced.set(meter, { exact: trueExact, quantity: usage.quantity });
      return [{ meter, trueExact, pricedExact: before.exact, quantity }];
    });
    const minimum = this.#isMain ? toMinorSlowly(prorateSlowly(plan.minimum, this.#daysOf(part))) : 0n;
    return { period: part, plan: { id: "", version: 1 }, minimum, maximum: null, pricedExact, corrections };
  }

  #feeTakenBack(part: Part, refund: Facts["refunds"][number], asOf: Date): bigint {
    const charge = this.#facts.charges[refund.charge];
    const price = pricesOf(this.#planOf(part), this.#isMain).get("successful_charges");
    if (!charge || !price) throw new Error("a refund has no charge");
    const all = this.#usage(part, "successful_charges", asOf);
    if (price.model === "graduated_basis_points") {
      const captured = sum(all.amounts.map(({ amountMinor }) => amountMinor));
      const fees = this.#price(part, { meter: "successful_charges", price, asOf });
      return -nearest(fees * refund.amount, captured);
    }
    const own = { quantity: 1n, amounts: [{ amountMinor: charge.amount, count: 1n }] };
    return -nearest(slowPrice(price, own) * refund.amount, charge.amount);
  }

  /** Voids invoices, and returns the credits that they used. */
  voidUntil(until: Date): void {
    for (const { currency, to, at } of this.#facts.voids) {
      const invoice = this.#invoices.find((one) => one.currency === currency && +one.part.to === +to);
      if (!invoice || invoice.isVoid || at > until) continue;
      invoice.isVoid = true;
      this.#creditBalance += invoice.creditApplied;
      this.#grants = this.#grants.map((grant) => ({
        ...grant,
        remaining: grant.remaining + (invoice.prepaid.get(grant.id) ?? 0n),
      }));
    }
  }

  /**
   * Whether the fees of the charges in a part were waived. A negative price is never waived, because another invoice
   * repeats it.
   */
  #isWaived(part: Part): boolean {
    const { exact = 0n } = this.#priced.get(part)?.get("successful_charges") ?? {};
    return exact > 0n && this.#invoices.some((one) => one.part === part && one.isVoid);
  }

  /** The refunds that were made in `part` for charges in `charged`, except those that failed before `part` ended. */
  #refundsIn(part: Part, charged: Part): Facts["refunds"] {
    return this.#facts.refunds.filter(({ charge, at, failedAt }) => {
      const refunded = this.#facts.charges[charge];
      const isOwn = refunded?.currency === this.#currency && isWithin(refunded.at, charged);
      return isOwn && isWithin(at, part) && (failedAt === null || failedAt >= part.to);
    });
  }

  /** The fees that are credited for refunds. If the invoice of a fee is void, the fee was waived and isn't credited. */
  #creditRefunds(part: Part, charged: Part, asOf: Date): RefundedFee[] {
    const given = this.#refundsIn(part, charged);
    const fees = given.map((refund) => this.#feeTakenBack(charged, refund, asOf));
    const isWaived = this.#isWaived(charged);
    for (const [index, refund] of given.entries()) this.#credited.set(refund, isWaived ? 0n : (fees[index] ?? 0n));
    if (given.length === 0 || (isWaived && sum(fees) !== 0n)) return [];
    return [this.#refundedFee(charged, { exact: sum(fees), quantity: BigInt(given.length) })];
  }

  /** The fees that are charged again: an earlier invoice credited them, and the refunds then failed in `part`. */
  #chargeFailed(part: Part, charged: Part): RefundedFee[] {
    if (this.#isWaived(charged)) return [];
    const before = this.#parts.filter(({ to }) => to <= part.from);
    const failed = before
      .flatMap((one) => this.#refundsIn(one, charged))
      .filter(({ failedAt }) => failedAt !== null && isWithin(failedAt, part));
    const exact = -sum(failed.map((refund) => this.#credited.get(refund) ?? 0n));
    return exact > 0n ? [this.#refundedFee(charged, { exact, quantity: BigInt(failed.length) })] : [];
  }

  /** If a fee was credited and then waived, charges the credited amount, so that the merchant doesn't get it twice. */
  #correctWaived(charged: Part): RefundedFee[] {
    if (!this.#isWaived(charged)) return [];
    const refunds = this.#invoices
      .filter(({ isVoid }) => !isVoid)
      .flatMap(({ lines }) => lines.filter(({ kind, period }) => kind === "refund" && period === charged));
    const exact = -sum(refunds.map(({ source }) => source?.exact ?? 0n));
    if (exact === 0n) return [];
    const correction = this.#refundedFee(charged, { exact, quantity: 1n });
    this.#corrections.add(correction);
    return [correction];
  }

  #refundedFee(charged: Part, fee: { exact: bigint; quantity: bigint }): RefundedFee {
    const tax = this.#taxes.get(charged);
    return { meter: "successful_charges", period: charged, ...fee, ...(tax ? { tax } : {}) };
  }

  #refunds(part: Part, parts: readonly Part[], asOf: Date): InvoiceInput["refunds"] {
    const given = part.kind === "further" ? [] : parts;
    const credits = given.flatMap((charged) => this.#creditRefunds(part, charged, asOf));
    const all = [...credits, ...given.flatMap((charged) => this.#chargeFailed(part, charged))];
    for (const one of all) this.#refundPart.set(one, part);
    return [...all, ...parts.flatMap((charged) => this.#correctWaived(charged))];
  }

  /** The credits of void invoices that no other invoice has repeated yet. */
  #voided(asOf: Date): VoidedCredit[] {
    const left = this.#invoices
      .filter(({ isVoid }) => isVoid)
      .map((invoice) => ({ invoice, lines: invoice.lines.filter((line) => !this.#repeated.has(line)) }));
    const refunds = left.flatMap(({ invoice, lines }) =>
      lines
        .filter(({ kind, exact, source }) => kind === "refund" && exact !== 0n && !this.#corrections.has(source))
        .map((line) => ({ invoice, line })),
    );
    const again = (isCredit: boolean): VoidedCredit[] =>
      refunds
        .filter(({ line }) => line.exact < 0n === isCredit)
        .flatMap(({ invoice, line }) => {
          const [part, charged] = [this.#refundPart.get(line.source), line.period as Part];
          if (!part) throw new Error("a line has no refunds");
          const [fee] = isCredit ? this.#creditRefunds(part, charged, asOf) : this.#chargeFailed(part, charged);
          if (!fee || fee.exact === 0n) return [];
          const { tax = { ...line, behaviour: invoice.behaviour } } = fee;
          const credit = this.#repeat(line, { exact: fee.exact, tax });
          this.#refundPart.set(credit, part);
          return [credit];
        });
    const credits = again(true);
    return [...credits, ...again(false), ...left.flatMap(({ invoice, lines }) => this.#netUsage(invoice, lines))];
  }

  #repeat(line: SlowLine, { exact, tax }: { exact: bigint; tax: InvoiceInput["tax"] }): VoidedCredit {
    this.#repeated.add(line);
    const kind = line.kind as VoidedCredit["kind"];
    const plan = { id: "", version: 1 };
    const { category, rate, behaviour } = tax;
    return {
      replaces: "",
      kind,
      meter: line.meter,
      description: "",
      period: line.period,
      plan,
      quantity: 0n,
      exact,
      pricedExact: exact,
      tax: { category, rate, behaviour },
      events: null,
    };
  }

  /**
   * For each undivided period: the credits for usage and late usage, minus the amounts that the invoice charged for
   * late usage.
   */
  #netUsage(invoice: ModelInvoice, lines: readonly SlowLine[]): VoidedCredit[] {
    const usage = lines.filter(({ kind, amount }) => kind === "late" || (kind === "usage" && amount < 0n));
    const groups = Map.groupBy(usage, ({ period }) => `${(period as Part).plan} ${+(period as Part).whole.from}`);
    return [...groups.values()].flatMap((group) => {
      const credits = group.filter(({ amount }) => amount < 0n);
      const charges = group.map(({ amount, discount }) => (amount > discount ? amount - discount : 0n));
      const weights = credits.map(({ amount }) => -amount);
      if (sum(charges) >= sum(weights)) return [];
      const taken = slowShares(sum(charges), weights);
      return credits.flatMap((line, index) => {
        const exact = line.exact + toExact(taken[index] ?? 0n);
        return exact < 0n ? [this.#repeat(line, { exact, tax: { ...line, behaviour: invoice.behaviour } })] : [];
      });
    });
  }

  bill(part: Part, before: readonly Part[]): ModelInvoice {
    const asOf = finalAtOf(part);
    this.voidUntil(asOf);
    const isRegular = part.kind === "regular";
    const plan = this.#planOf(part);
    const days = this.#daysOf(part);
    const prices = isRegular ? pricesOf(plan, this.#isMain) : new Map<string, Price>();
    const usageOf = (one: Part) => new Map([...prices.keys()].map((meter) => [meter, this.#usage(one, meter, asOf)]));
    const used = [...usageOf(part)];
    const { flat, minimum, maximum } = this.#isMain ? plan : { flat: 0n, minimum: 0n, maximum: null };
    const ref = { id: "", version: 1 };
    const voided = this.#voided(asOf);
    const terms = { plan: ref, terms: { flat, minimum, maximum, prices }, period: part, days };
    const earlier = this.#earlier(part).map((one) => ({ ...terms, days: this.#daysOf(one), usage: usageOf(one) }));
    const input: InvoiceInput = {
      currency: this.#currency,
      tax: this.#taxAt(asOf),
      parts: isRegular ? [{ ...terms, usage: new Map(used), earlier }] : [],
      late: this.#lateParts(before, asOf),
      refunds: this.#refunds(part, isRegular ? [...before, part] : before, asOf),
      slaCredits: [],
      voided,
      coupons: [],
      creditBalance: this.#creditBalance,
      prepaid: this.#grants.filter(({ grantedAt }) => grantedAt < asOf),
    };
    const invoice = slowInvoice(input);
    this.#keepTaxes(part, before, input);
    this.#creditBalance -= invoice.creditApplied;
    if (invoice.balance < 0n) this.#creditBalance -= invoice.balance;
    this.#grants = this.#grants.map((grant) => ({
      ...grant,
      remaining: grant.remaining - (invoice.prepaid.get(grant.id) ?? 0n),
    }));
    if (isRegular) this.#keepPrices(part, used, asOf);
    const billed = {
      ...invoice,
      part,
      currency: this.#currency,
      counts: new Map(used.map(([meter, { events }]) => [meter, events])),
      behaviour: input.tax.behaviour,
      isVoid: false,
    };
    this.#invoices.push(billed);
    return billed;
  }

  #keepPrices(part: Part, used: readonly (readonly [string, MeterUsage])[], asOf: Date): void {
    const plan = this.#planOf(part);
    const prices = pricesOf(plan, this.#isMain);
    const priced = used.map(([meter, usage]) => {
      const price = prices.get(meter);
      const exact = price ? this.#price(part, { meter, price, asOf }) : 0n;
      return [meter, { exact, quantity: usage.quantity }] as const;
    });
    const flatExact = prorateSlowly(this.#isMain ? plan.flat : 0n, this.#daysOf(part));
    this.#priced.set(part, new Map([["flat", { exact: flatExact, quantity: 0n }], ...priced]));
  }
}
