import { defineRules, type Named } from "../../kernel/rule.ts";
import { isSameResource } from "../../kernel/text/uri.ts";
import { lastingFields } from "../rules/replace.ts";
import type { WindowProblem } from "../rules/validity.ts";
import { fieldProblems, paymentMandateType } from "./payment-mandate.wire.ts";

const shared = { places: ["pushAuthorizationRequest"], error: "invalid_authorization_details" } as const;
const source = "docs/spec/payments.md, Mandate fields";

export const root = "authorization_details";

export const maxDetailsItems = 10;

/** `where`: the checked item, such as `authorization_details[0]`. */
type Placed = { where: string };

const item = { any: `${root}[]`, one: ({ where }: Placed): string => where };
const member = (name: string): Named<Placed> => ({
  any: `${item.any}.${name}`,
  one: ({ where }) => `${where}.${name}`,
});

export const detailsListRules = defineRules<{ items: unknown }>(
  "authorization_details, as a list",
  { ...shared, names: root },
  [
    {
      name: "details-list",
      source: "RFC 9396 §2",
      problem: "must be a JSON array",
      holds: ({ items }) => Array.isArray(items),
    },
    {
      name: "details-count",
      source: "docs/spec/oauth.md, Authorization details",
      problem: `must have at most ${maxDetailsItems} items`,
      holds: ({ items }) => (items as unknown[]).length <= maxDetailsItems,
    },
  ],
);

/** `type` is undefined if the item isn't an object with a type. */
export const detailsItemRules = defineRules<Placed & { type: string | undefined }>(
  "authorization_details, an item",
  { ...shared, names: item },
  [
    {
      name: "details-item-typed",
      source: "RFC 9396 §2",
      problem: "must be an object with a type",
      holds: ({ type }) => type !== undefined,
    },
    {
      name: "details-type-known",
      source: "RFC 9396 §5",
      names: member("type"),
      problem: "unknown type",
      holds: ({ type }) => type === paymentMandateType,
    },
  ],
);

/** The first fault that the schema finds: `at` is a place of `fieldProblems`, or null for an unknown field. */
type Wrong = { at: string | null };

export const detailsFieldRules = defineRules<Placed & { wrong: Wrong | null }>(
  "payment_mandate_v1, field by field",
  { ...shared, names: item },
  [
    {
      name: "mandate-fields-known",
      source: "RFC 9396 §5",
      problem: "unknown field",
      holds: ({ wrong }) => wrong?.at !== null,
    },
    ...[...fieldProblems].map(([at, problem]) => ({
      name: at === "" ? "mandate-amount-cap" : `mandate-${at.replaceAll("[]", "-each").replaceAll(/[._]/g, "-")}`,
      source,
      names: { ...item, any: at === "" ? item.any : `${item.any}.${at}` },
      problem,
      holds: ({ wrong }: { wrong: Wrong | null }) => wrong?.at !== at,
    })),
  ],
);

const endRules: Readonly<Record<WindowProblem, string>> = {
  "must be later than now and later than valid_from": "mandate-end-ahead",
  "must be at most one calendar year ahead": "mandate-end-within-a-year",
};

export const detailsEndRules = defineRules<Placed & { problem: WindowProblem | null }>(
  "payment_mandate_v1, end of validity",
  { ...shared, names: member("valid_until") },
  Object.entries(endRules).map(([problem, name]) => ({
    name,
    source,
    problem,
    holds: (end) => end.problem !== problem,
  })),
);

export const detailsLocationRules = defineRules<Placed & { locations: readonly string[]; own: string }>(
  "payment_mandate_v1, locations",
  { ...shared, names: member("locations") },
  [
    {
      // A mandate for another server's resource could never be used.
      name: "mandate-locations-own",
      source: "RFC 9396 §2.2",
      problem: "unknown resource",
      holds: ({ locations, own }) => locations.every((location) => isSameResource(location, own)),
      expected: ({ own }) => [own],
    },
  ],
);

export const detailsPayeeRules = defineRules<Placed & { isKnown: boolean }>(
  "payment_mandate_v1, a payee",
  { ...shared, names: { any: `${item.any}.payees[].id`, one: ({ where }) => where } },
  [{ name: "mandate-payee-registered", source, problem: "unknown merchant", holds: ({ isKnown }) => isKnown }],
);

type Identified = Placed & {
  isReplacing: boolean;
  isOfGrant: boolean;
  isRepeated: boolean;
  /** the fixed field that would change; `""` if there is none */
  lasting: string;
};

export const detailsIdentifierRules = defineRules<Identified>(
  "payment_mandate_v1 that replaces another",
  { ...shared, names: member("identifier") },
  [
    {
      name: "mandate-identifier-of-replace",
      source: "Grant Management §5.2",
      problem: "requires grant_management_action=replace",
      holds: ({ isReplacing }) => isReplacing,
    },
    {
      // The answer is the same for an unknown mandate, an ended mandate and another grant's mandate. Ids aren't secret,
      // so the answer must not reveal which mandates exist.
      name: "mandate-identifier-of-grant",
      source: "Grant Management §5.2",
      problem: "is not an active or suspended mandate of this grant",
      holds: ({ isOfGrant }) => isOfGrant,
    },
    {
      name: "mandate-identifier-once",
      source: "Grant Management §5.2",
      problem: "must be different in each item",
      holds: ({ isRepeated }) => !isRepeated,
    },
    {
      name: "mandate-lasting-fields",
      source,
      problem: "can't change while the mandate is in use",
      names: { any: `${item.any}.${lastingFields.join(", ")}`, one: ({ where, lasting }) => `${where}.${lasting}` },
      holds: ({ lasting }) => lasting === "",
    },
  ],
);

export const replacingDetailsRules = defineRules<{ isReplacing: boolean; named: number }>(
  "authorization_details that replace others",
  { ...shared, names: root },
  [
    {
      name: "details-name-a-mandate",
      source: "Grant Management §5.2",
      problem: "must include an item with the identifier of a mandate of the grant",
      holds: ({ isReplacing, named }) => !isReplacing || named > 0,
    },
  ],
);
