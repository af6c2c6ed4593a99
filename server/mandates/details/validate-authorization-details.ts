import { z } from "zod";
import { findRegisteredMerchantIds } from "../../data/mandates/mandates.ts";
import type { Config } from "../../deps/config.ts";
import type { Deps } from "../../deps/deps.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { changedLastingField } from "../rules/replace.ts";
import { parseInstant, type WindowProblem, windowProblem } from "../rules/validity.ts";
import {
  detailsEndRules,
  detailsFieldRules,
  detailsIdentifierRules,
  detailsItemRules,
  detailsListRules,
  detailsLocationRules,
  detailsPayeeRules,
  replacingDetailsRules,
  root,
} from "./details-rules.ts";
import {
  fieldProblems,
  type GrantedMandateDetails,
  type PaymentMandateDetails,
  paymentMandateSchema,
} from "./payment-mandate.wire.ts";

/**
 * Parses the details and does all checks except those that look up merchants. A refusal names the field, never its
 * value.
 * @param input.raw the parsed JSON value of `authorization_details`.
 * @param input.replaceable the mandates of the grant to replace: an item that names one of them by `identifier` changes
 *   it, and any other item is a new mandate. Null for a new grant.
 * @throws OAuthError invalid_authorization_details.
 */
export const readAuthorizationDetails = (
  deps: { config: Pick<Config, "baseUrl"> },
  input: { raw: unknown; replaceable: readonly GrantedMandateDetails[] | null; at: BusinessTime },
): PaymentMandateDetails[] => {
  checkRules(detailsListRules, { items: input.raw });
  const items = (input.raw as unknown[]).map((item, index) => parseItem(item, `${root}[${index}]`));
  checkIdentifiers(items, input.replaceable);
  for (const [index, item] of items.entries()) {
    const where = `${root}[${index}]`;
    checkRules(detailsEndRules, { where, problem: endProblemOf(item, input.at) });
    const locations = { locations: item.locations ?? [], own: `${deps.config.baseUrl}/merchant_test` };
    checkRules(detailsLocationRules, { where, ...locations });
  }
  refuseUnknownPayees(items, (id) => !merchantId.test(id));
  return items;
};

/** The named merchants, each once. */
export const payeesOf = (items: readonly PaymentMandateDetails[]): string[] => [
  ...new Set(placesOf(items).map(({ id }) => id)),
];

/** @throws OAuthError invalid_authorization_details, naming the first invalid place. */
export const refuseUnknownPayees = (
  items: readonly PaymentMandateDetails[],
  isUnknown: (merchantId: string) => boolean,
): void => {
  for (const { id, where } of placesOf(items)) checkRules(detailsPayeeRules, { where, isKnown: !isUnknown(id) });
};

/** @throws OAuthError invalid_authorization_details if a named merchant isn't registered. */
export const checkPayees = async (deps: Pick<Deps, "db">, items: readonly PaymentMandateDetails[]): Promise<void> => {
  const named = payeesOf(items);
  if (named.length === 0) return;
  const known = await findRegisteredMerchantIds(deps.db, named);
  refuseUnknownPayees(items, (id) => !known.has(id));
};

const merchantId = /^mch_[0-9A-Za-z]{1,60}$/;

const placesOf = (items: readonly PaymentMandateDetails[]): { id: string; where: string }[] =>
  items.flatMap((item, index) =>
    (item.payees ?? []).flatMap((payee, place) =>
      "id" in payee ? [{ id: payee.id, where: `${root}[${index}].payees[${place}].id` }] : [],
    ),
  );

const typeOnly = z.object({ type: z.string() });

const parseItem = (item: unknown, where: string): PaymentMandateDetails => {
  checkRules(detailsItemRules, { where, type: typeOnly.safeParse(item).data?.type });
  const result = paymentMandateSchema.safeParse(item);
  if (result.success) return result.data;
  const { at, place } = placeOf(assertPresent(result.error.issues[0]));
  checkRules(detailsFieldRules, { where: `${where}${place}`, wrong: { at } });
  throw new Error("no rule explains the invalid field");
};

/** The name of an unknown field, if the error message can repeat it: the name comes from the request. */
const nameable = /^[a-z][a-z0-9_]{0,39}$/i;

/**
 * The place that has a rule: the place of the issue, or a parent of it, such as `actions` for `actions[0]`. For an
 * unknown field, its own place.
 */
const placeOf = (issue: z.core.$ZodIssue): { at: string | null; place: string } => {
  const { path } = issue;
  const write = (parts: readonly PropertyKey[], index: (part: number) => string) =>
    parts.map((part) => (typeof part === "number" ? index(part) : `.${String(part)}`)).join("");
  const place = (length: number) => write(path.slice(0, length), (part) => `[${part}]`);
  if (issue.code === "unrecognized_keys") {
    const name = issue.keys.find((key) => nameable.test(key));
    return { at: null, place: place(path.length) + (name === undefined ? "" : `.${name}`) };
  }
  for (let length = path.length; ; length--) {
    const at = write(path.slice(0, length), () => "[]").slice(1);
    if (length === 0 || fieldProblems.has(at)) return { at, place: place(length) };
  }
};

const checkIdentifiers = (
  items: readonly PaymentMandateDetails[],
  replaceable: readonly GrantedMandateDetails[] | null,
): void => {
  const named = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (item.identifier === undefined) continue;
    const current = replaceable?.find(({ identifier }) => identifier === item.identifier);
    checkRules(detailsIdentifierRules, {
      where: `${root}[${index}]`,
      isReplacing: replaceable !== null,
      isOfGrant: current !== undefined,
      isRepeated: named.has(item.identifier),
      lasting: (current && changedLastingField(current, item)) ?? "",
    });
    named.add(item.identifier);
  }
  checkRules(replacingDetailsRules, { isReplacing: replaceable !== null, named: named.size });
};

const endProblemOf = (item: PaymentMandateDetails, now: BusinessTime): WindowProblem | null => {
  const at = (text: string | undefined) => (text === undefined ? null : parseInstant(text));
  return windowProblem({ from: at(item.valid_from), until: at(item.valid_until) }, item.time_zone ?? "UTC", now);
};
