import { type Cases, casesOf } from "../../kernel/rule-cases.fixture.ts";
import {
  detailsEndRules,
  detailsFieldRules,
  detailsIdentifierRules,
  detailsItemRules,
  detailsListRules,
  detailsLocationRules,
  detailsPayeeRules,
  replacingDetailsRules,
} from "./details-rules.ts";
import { fieldProblems } from "./payment-mandate.wire.ts";

const where = "authorization_details[0]";
const own = "https://as.example/merchant_test";
const [, ...fieldRules] = detailsFieldRules.rules;

export const detailsCases: readonly Cases<unknown>[] = [
  casesOf(
    detailsListRules,
    { items: [{}] as unknown },
    { "details-list": { items: {} }, "details-count": { items: Array(11).fill({}) } },
  ),
  casesOf(
    detailsItemRules,
    { where, type: "payment_mandate_v1" as string | undefined },
    { "details-item-typed": { type: undefined }, "details-type-known": { type: "payment_mandate_v2" } },
  ),
  casesOf(
    detailsFieldRules,
    { where, wrong: null as { at: string | null } | null },
    {
      "mandate-fields-known": { wrong: { at: null } },
      ...Object.fromEntries([...fieldProblems.keys()].map((at, place) => [fieldRules[place]?.name, { wrong: { at } }])),
    },
  ),
  casesOf(
    detailsIdentifierRules,
    { where, isReplacing: true, isOfGrant: true, isRepeated: false, lasting: "" },
    {
      "mandate-identifier-of-replace": { isReplacing: false },
      "mandate-identifier-of-grant": { isOfGrant: false },
      "mandate-identifier-once": { isRepeated: true },
      "mandate-lasting-fields": { lasting: "currency" },
    },
  ),
  casesOf(replacingDetailsRules, { isReplacing: true, named: 1 }, { "details-name-a-mandate": { named: 0 } }),
  casesOf(
    detailsEndRules,
    { where, problem: null },
    {
      "mandate-end-ahead": { problem: "must be later than now and later than valid_from" },
      "mandate-end-within-a-year": { problem: "must be at most one calendar year ahead" },
    },
  ),
  casesOf(
    detailsLocationRules,
    { where, locations: [own], own },
    { "mandate-locations-own": { locations: [own, "https://other.example"] } },
  ),
  casesOf(detailsPayeeRules, { where, isKnown: true }, { "mandate-payee-registered": { isKnown: false } }),
];
