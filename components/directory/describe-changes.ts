import type { Json, JsonObject } from "#server/kernel/text/json.ts";
import { formatAmount } from "../format/money.ts";
import { grantLabel, roleLabels, statusLabels, wordsOf } from "./directory-labels.ts";

/** One line of a change. If a value was replaced, `removed` has the old value, and `added` has the new one. */
export type DescribedChange = { field: string; removed: string[]; added: string[] };

const names: Readonly<Record<string, string>> = {
  website_uri: "Website",
  logo_uri: "Logo",
  dpop_bound_access_tokens: "DPoP-bound access tokens",
  authorization_details_types: "Types of authorization details",
  merchant_id: "Payee ID",
  max_charge_amounts: "Largest charge",
  max_items: "Authorization details in one request",
  max_amount: "Largest amount, in minor units",
  request_uri_lifetime_seconds: "Seconds until a pushed request expires",
  requests: "Rate limit: requests of one client",
  seconds: "Rate limit: seconds",
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Everyone sees the same texts. */
const amountText = ({ currency, amount }: JsonObject): string =>
  formatAmount(Number(amount), String(currency), { locale: "en-GB" });

const textOf = (field: string, value: Json): string => {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (isObject(value) && field === "max_charge_amounts") return amountText(value);
  if (isObject(value)) return String(value["domain"] ?? value["thumbprint"] ?? JSON.stringify(value));
  const text = String(value);
  if (field === "roles") return roleLabels[text] ?? text;
  if (field === "status") return statusLabels[text]?.label ?? text;
  return field === "grant_types" ? grantLabel(text) : text;
};

/** The document contains only hashes of the contacts. Readers can't use them. */
const countOf = (values: readonly string[]): string[] =>
  values.length === 0 ? [] : [values.length === 1 ? "1 contact" : `${values.length} contacts`];

const valuesOf = (field: string, value: Json | undefined): string[] => {
  if (value === undefined || value === null) return [];
  const values: readonly Json[] = Array.isArray(value) ? value : [value as Json];
  return values.map((one) => textOf(field, one));
};

const describeField = (field: string, before: Json | undefined, after: Json | undefined): DescribedChange[] => {
  const [old, current] = [valuesOf(field, before), valuesOf(field, after)];
  const removed = old.filter((value) => !current.includes(value));
  const added = current.filter((value) => !old.includes(value));
  if (removed.length === 0 && added.length === 0) return [];
  const name = names[field] ?? wordsOf(field);
  return field === "contacts"
    ? [{ field: name, removed: countOf(removed), added: countOf(added) }]
    : [{ field: name, removed: shorten(removed), added: shorten(added) }];
};

/** An upgrade can add all currencies at once. */
const maxValues = 12;

const shorten = (values: string[]): string[] =>
  values.length <= maxValues ? values : [...values.slice(0, maxValues - 1), `${values.length - maxValues + 1} more`];

/** What differs between two documents of a participant, in the order of their members. */
export const describeChanges = (before: JsonObject, after: JsonObject): DescribedChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [old, current] = [before[field], after[field]];
    return isObject(current) && (old === undefined || isObject(old))
      ? describeChanges(old ?? {}, current)
      : describeField(field, old, current);
  });
