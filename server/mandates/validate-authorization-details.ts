import { z } from "zod";
import type { Config } from "../config.ts";
import { findRegisteredMerchantIds } from "../data/mandates.ts";
import type { Deps } from "../deps.ts";
import type { BusinessTime } from "../kernel/clock.ts";
import { OAuthError } from "../kernel/errors.ts";
import {
  type GrantedMandateDetails,
  type PaymentMandateDetails,
  paymentMandateSchema,
  paymentMandateType,
} from "./payment-mandate.wire.ts";
import { lastingFieldProblem } from "./rules/replace.ts";
import { parseInstant, windowProblem } from "./rules/validity.ts";

/** RFC 9396 §5: unknown type, unknown field or a value out of bounds. The description names the field, never its value. */
const refuse = (where: string, why: string) => new OAuthError("invalid_authorization_details", `${where}: ${why}`);

const root = "authorization_details";

/**
 * All that can be said of them without looking merchants up.
 * @param input.raw the parsed JSON value of `authorization_details`.
 * @param input.replaceable what a grant holds that is to be replaced: items change those that they name by `identifier`,
 *   and the others are new. Null for a new grant.
 * @throws OAuthError invalid_authorization_details.
 */
export const readAuthorizationDetails = (
  deps: { config: Pick<Config, "baseUrl"> },
  input: { raw: unknown; replaceable: readonly GrantedMandateDetails[] | null; at: BusinessTime },
): PaymentMandateDetails[] => {
  if (!Array.isArray(input.raw)) throw refuse(root, "must be a JSON array");
  if (input.raw.length > 10) throw refuse(root, "must hold at most 10 items");
  const items = input.raw.map((item: unknown, index) => parseItem(item, `${root}[${index}]`));
  checkIdentifiers(items, input.replaceable);
  for (const [index, item] of items.entries()) {
    checkWindow(item, `${root}[${index}]`, input.at);
    checkLocations(item, `${root}[${index}]`, deps.config.baseUrl);
  }
  refuseUnknownPayees(items, (id) => !merchantId.test(id));
  return items;
};

/** The merchants that they name, each once. */
export const payeesOf = (items: readonly PaymentMandateDetails[]): string[] => [
  ...new Set(placesOf(items).map(({ id }) => id)),
];

/** @throws OAuthError invalid_authorization_details, naming the first place. */
export const refuseUnknownPayees = (
  items: readonly PaymentMandateDetails[],
  isUnknown: (merchantId: string) => boolean,
): void => {
  const unknown = placesOf(items).find(({ id }) => isUnknown(id));
  if (unknown) throw refuse(unknown.where, "unknown merchant");
};

/** @throws OAuthError invalid_authorization_details where a named merchant isn't registered. */
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
  const { data } = typeOnly.safeParse(item);
  if (!data) throw refuse(where, "must be an object with a type");
  if (data.type !== paymentMandateType) throw refuse(`${where}.type`, "unknown type");
  const result = paymentMandateSchema.safeParse(item);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue || issue.code === "unrecognized_keys") throw refuse(where, "unknown field");
  throw refuse(
    [where, ...issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))].join(""),
    plain(issue),
  );
};

/** Only the characters of RFC 6749 §5.2; zod's own words may quote. */
const plain = (issue: z.core.$ZodIssue): string =>
  issue.code === "invalid_union"
    ? "must be a registered id or a known category"
    : issue.message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "'");

const checkIdentifiers = (
  items: readonly PaymentMandateDetails[],
  replaceable: readonly GrantedMandateDetails[] | null,
): void => {
  const named = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (item.identifier === undefined) continue;
    const where = `${root}[${index}]`;
    if (replaceable === null) throw refuse(`${where}.identifier`, "needs grant_management_action replace");
    const current = replaceable.find(({ identifier }) => identifier === item.identifier);
    // One answer for unknown, ended and another grant's: an id is no secret, and must tell nothing.
    if (!current) throw refuse(`${where}.identifier`, "is no live mandate of this grant");
    if (named.has(item.identifier)) throw refuse(`${where}.identifier`, "must not repeat");
    named.add(item.identifier);
    const problem = lastingFieldProblem(current, item);
    if (problem) throw refuse(`${where}.${problem.field}`, problem.why);
  }
  if (replaceable !== null && named.size === 0) throw refuse(root, "must name a mandate of the grant by identifier");
};

const checkWindow = (item: PaymentMandateDetails, where: string, now: Date): void => {
  const at = (text: string | undefined) => (text === undefined ? null : parseInstant(text));
  const problem = windowProblem(
    { from: at(item.valid_from), until: at(item.valid_until) },
    item.time_zone ?? "UTC",
    now,
  );
  if (problem) throw refuse(`${where}.valid_until`, problem);
};

/** RFC 9396 §2.2: a location that isn't ours could never be served. */
const checkLocations = (item: PaymentMandateDetails, where: string, baseUrl: string): void => {
  const own = `${baseUrl}/merchant_test`;
  if ((item.locations ?? []).some((location) => location !== own))
    throw refuse(`${where}.locations`, "unknown resource");
};
