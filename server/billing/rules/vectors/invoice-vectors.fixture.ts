import { toDecimal } from "../../../kernel/money/money.ts";
import { parseExact, toExact } from "../exact/exact.ts";
import { applyCoupons } from "../invoice/apply-coupons.ts";
import { taxLines } from "../invoice/taxes.ts";
import type { AppliedCoupon } from "../invoice/types.ts";
import {
  amountCoupon,
  grantOf,
  invoiceOf,
  linesOf,
  partOf,
  percentCoupon,
  runnerOf,
  standardTax,
  unitsOnly,
  type VectorRunner,
} from "./vector.fixture.ts";

const minors = (amounts: readonly number[]) => linesOf(amounts.map((amount) => toExact(BigInt(amount))));

const trueUp = runnerOf<{ minimum_minor: number; fees_minor: number[] }>(({ minimum_minor, fees_minor }) => {
  const { lines } = invoiceOf(partOf(minors(fees_minor), { minimum: BigInt(minimum_minor) }));
  return { true_up_minor: Number(lines.find(({ kind }) => kind === "true_up")?.amount ?? 0n) };
});

const discountOf = (base: number, coupons: readonly AppliedCoupon[]) => ({
  discount_minor: Number(invoiceOf(partOf(minors([base])), { coupons }).discount),
});

type Amount = { base_minor: number; amount_off_minor: number; already_used_minor?: number };
type Over = { lines: { minor: number; tax: string }[]; coupons_minor: number[] };

const amountOff = runnerOf<Amount>(({ base_minor, amount_off_minor, already_used_minor = 0 }) =>
  discountOf(base_minor, [amountCoupon("A", amount_off_minor - already_used_minor)]),
);

const overDiscounted = runnerOf<Over>(({ lines, coupons_minor }) => {
  const part = partOf(minors(lines.map(({ minor }) => minor)));
  const coupons = coupons_minor.map((amount, index) => amountCoupon(`C${index}`, amount));
  const invoice = invoiceOf(part, { coupons, tax: standardTax(lines[0]?.tax ?? "0") });
  return {
    discounts_minor: invoice.discounts.map(({ amount }) => Number(amount)),
    tax_minor: Number(invoice.tax),
    total_minor: Number(invoice.total),
  };
});

type Breakdown = {
  lines: { minor: number; tax: string }[];
  coupons: { minor: number; lines: number[] | "all" }[];
};

/** Lines with several tax rates, and coupons for some of the lines: each line has its own meter. */
const breakdown = runnerOf<Breakdown>(({ lines, coupons }) => {
  const meterAt = (index: number) => `own:line_${index}`;
  const drafts = lines.map(({ minor, tax }, index) => ({
    meter: meterAt(index),
    amount: BigInt(minor),
    discount: 0n,
    tax: standardTax(tax),
  }));
  const applied = coupons.map(({ minor, lines: covered }, index) =>
    amountCoupon(`C${index}`, minor, covered === "all" ? null : covered.map(meterAt)),
  );
  const result = taxLines(applyCoupons(drafts, applied).lines, "exclusive");
  const nets = result.lines.map(({ net }) => Number(net));
  return {
    net_minor: nets.reduce((sum, net) => sum + net, 0),
    nets_by_largest_remainder: nets,
    tax_per_rate_minor: Number(result.taxes.reduce((sum, { amount }) => sum + amount, 0n)),
  };
});

type Order = {
  lines_minor: number[];
  coupon_minor?: number;
  tax_percent: string;
  credit_notes_minor?: number;
  prepaid_minor: number;
};

const orderedInvoice = ({ lines_minor, coupon_minor = 0, tax_percent, credit_notes_minor = 0, prepaid_minor }: Order) =>
  invoiceOf(partOf(minors(lines_minor)), {
    coupons: [amountCoupon("A", coupon_minor)],
    tax: standardTax(tax_percent),
    creditBalance: BigInt(credit_notes_minor),
    prepaid: [grantOf("p", prepaid_minor)],
  });

/** Each example has only some of these members. */
const order = (members: readonly string[]) =>
  runnerOf<Order>((input) => {
    const invoice = orderedInvoice(input);
    const due = Number(invoice.amountDue);
    const all = {
      taxable_minor: Number(invoice.subtotal - invoice.discount),
      tax_minor: Number(invoice.tax),
      total_minor: Number(invoice.total),
      due_minor: due,
      // Only the part that was paid in money can be refunded in money.
      max_refundable_minor: due,
      coupon_before_tax_prepaid_after_minor: due,
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => members.includes(name)));
  });

const orders: Readonly<Record<string, readonly string[]>> = {
  "coupon and prepaid": ["tax_minor", "total_minor", "due_minor", "max_refundable_minor"],
  "credit notes": ["taxable_minor", "tax_minor", "total_minor", "due_minor"],
  history: ["coupon_before_tax_prepaid_after_minor"],
};

const invoiceOrder: VectorRunner = (input) => {
  const shape =
    "credit_notes_minor" in input ? "credit notes" : input["prepaid_minor"] === 500 ? "coupon and prepaid" : "history";
  return order(orders[shape] ?? [])(input);
};

type Cap = { lines_exact_minor: string[]; tax_percent: string; wallet_minor: number };
type Wallets = { total_minor: number; wallets: { id: string; balance_minor: number; priority: number }[] };
type Wallet = { unit_amount: string; quantity: string; wallet_minor: number };

const cap = runnerOf<Cap>(({ lines_exact_minor, tax_percent, wallet_minor }) => {
  const invoice = invoiceOf(partOf(linesOf(lines_exact_minor.map(parseExact))), {
    tax: standardTax(tax_percent),
    prepaid: [grantOf("w", wallet_minor)],
  });
  return {
    lines_minor: Number(invoice.subtotal),
    tax_minor: Number(invoice.tax),
    total_minor: Number(invoice.total),
    prepaid_used_minor: Number(invoice.prepaidApplied[0]?.amount ?? 0n),
    due_minor: Number(invoice.amountDue),
  };
});

const wallet = runnerOf<Wallet>(({ unit_amount, quantity, wallet_minor }) => {
  const price = { model: "per_unit", unit: parseExact(unit_amount), freeUnits: 0n } as const;
  const part = partOf({ "own:units": { price, usage: unitsOnly(BigInt(quantity)) } });
  const invoice = invoiceOf(part, { prepaid: [grantOf("w", wallet_minor)] });
  const used = Number(invoice.prepaidApplied[0]?.amount ?? 0n);
  return { used_minor: used, due_minor: Number(invoice.amountDue), left_minor: wallet_minor - used };
});

const wallets = runnerOf<Wallets>(({ total_minor, wallets: grants }) => {
  const prepaid = grants.map(({ id, balance_minor, priority }) => grantOf(id, balance_minor, priority));
  const invoice = invoiceOf(partOf(minors([total_minor])), { prepaid });
  return {
    used_minor: Object.fromEntries(invoice.prepaidApplied.map(({ id, amount }) => [id, Number(amount)])),
    due_minor: Number(invoice.amountDue),
  };
});

const cents = (text: string): number => Number(text.replace(".", ""));
const euros = (amountMinor: bigint) => toDecimal({ amountMinor, currency: "EUR" });

type Totals = { line_total: string; allowances: string; charges: string; vat_percent: string; prepaid: string };

export const invoiceVectors: Readonly<Record<string, VectorRunner>> = {
  "commitment.minimum": trueUp,
  "coupon.amount": (input) => ("lines" in input ? overDiscounted(input) : amountOff(input)),
  "coupon.percent": runnerOf<{ base_minor: number; percent: string }>(({ base_minor, percent }) =>
    discountOf(base_minor, [percentCoupon("A", percent)]),
  ),
  "coupon.order": runnerOf<{ base_minor: number; percents: string[] }>(({ base_minor, percents }) =>
    discountOf(
      base_minor,
      percents.map((percent, index) => percentCoupon(`C${index}`, percent)),
    ),
  ),
  "coupon.allocation+tax": breakdown,
  "invoice.order": invoiceOrder,
  "prepaid.cap": cap,
  "prepaid.order": (input) => ("wallets" in input ? wallets(input) : wallet(input)),
  "prepaid.allocation": runnerOf<{ lines_minor: number[]; credit_minor: number }>(({ lines_minor, credit_minor }) => ({
    due_minor: Number(invoiceOf(partOf(minors(lines_minor)), { prepaid: [grantOf("c", credit_minor)] }).amountDue),
  })),
  "einvoice.allowance": runnerOf<{ base: string; percent: string }>(({ base, percent }) => ({
    amount: euros(invoiceOf(partOf(minors([cents(base)])), { coupons: [percentCoupon("A", percent)] }).discount),
  })),
  "einvoice.totals": runnerOf<Totals>(({ line_total, allowances, charges, vat_percent, prepaid }) => {
    const invoice = invoiceOf(partOf(minors([cents(line_total), cents(charges)])), {
      coupons: [amountCoupon("A", cents(allowances))],
      tax: standardTax(vat_percent),
      prepaid: [grantOf("p", cents(prepaid))],
    });
    return { tax_exclusive: euros(invoice.subtotal - invoice.discount), tax_inclusive: euros(invoice.total) };
  }),
};
