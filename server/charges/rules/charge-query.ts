/** The meaning of an operator's search text for charges. */
export type ChargeQuery =
  | { kind: "charge" | "refund" | "dispute"; id: string }
  | { kind: "mandate" | "merchant" | "payer"; id: string }
  /** the start of a reference, a processor's payment id, or a part of a merchant's name */
  | { kind: "text"; text: string };

const kinds = {
  chg: "charge",
  rfd: "refund",
  dsp: "dispute",
  mdt: "mandate",
  mch: "merchant",
  acc: "payer",
} as const;

/** An id is recognized by its prefix. */
export const readChargeQuery = (text: string): ChargeQuery => {
  const [, prefix] = /^([a-z]{3})_\w{1,60}$/.exec(text) ?? [];
  const kind = Object.entries(kinds).find(([known]) => known === prefix)?.[1];
  return kind ? { kind, id: text } : { kind: "text", text };
};
