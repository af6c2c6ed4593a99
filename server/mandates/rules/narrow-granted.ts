import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../kernel/errors.ts";
import { type Narrowing, narrow } from "./narrow.ts";
import { parseInstant } from "./validity.ts";

type Payee = { id: string } | { category: string };

/** The fields that a token may narrow, in wire names; absent fields don't change. */
export type TokenNarrowing = Narrowing & {
  actions?: readonly string[] | undefined;
  locations?: readonly string[] | undefined;
  payees?: readonly Payee[] | undefined;
  payer_presence?: readonly string[] | undefined;
  valid_from?: string | undefined;
};

/** An absent or empty list allows everything, so any other list is narrower. */
const openWhenEmpty = ["payees"] as const;
const closedLists = ["actions", "locations"] as const;

/**
 * A granted mandate narrowed for a token: fewer actions and payees, lower caps, a shorter time. The mandate itself
 * doesn't change.
 * @throws DomainError invalid naming the field that would widen the mandate.
 */
export const narrowGranted = <D extends object>(granted: D, requested: TokenNarrowing): D => {
  const held = granted as TokenNarrowing;
  const { actions, locations, payees, payer_presence, valid_from, ...caps } = requested;
  const lists = { actions, locations, payees };
  for (const field of closedLists) checkSubset(held[field] ?? [], lists[field], field);
  for (const field of openWhenEmpty) if (held[field]?.length) checkSubset(held[field], lists[field], field);
  checkSubset(presence(held.payer_presence), payer_presence && presence(payer_presence), "payer_presence");
  if (valid_from !== undefined && instantOf(valid_from) < instantOf(held.valid_from))
    throw wideningRefusal("valid_from");
  const chosen = { ...lists, payer_presence, valid_from };
  const present = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return narrow({ ...granted, ...Object.fromEntries(present) } as D & Parameters<typeof narrow>[0], caps);
};

const checkSubset = (held: readonly unknown[], requested: readonly unknown[] | undefined, field: string): void => {
  if (requested === undefined) return;
  const isSubset = requested.every((item) => held.some((known) => isDeepStrictEqual(item, known)));
  if (!isSubset || (requested.length === 0 && held.length > 0)) throw wideningRefusal(field);
};

/** Absent or empty is `in_session` (docs/spec/payments.md, Mandate fields). */
const presence = (list: readonly string[] | undefined): readonly string[] => (list?.length ? list : ["in_session"]);

const instantOf = (text: string | undefined): number =>
  (text === undefined ? null : parseInstant(text))?.getTime() ?? Number.NEGATIVE_INFINITY;

const wideningRefusal = (field: string): DomainError =>
  new DomainError("invalid", {
    code: "not_narrower",
    message: "A token can't exceed what was granted.",
    errors: [{ pointer: `/${field}`, detail: "exceeds what was granted" }],
  });
