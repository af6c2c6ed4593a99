import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { formatExact, parseExact } from "../exact/exact.ts";
import type { CouponDefinition } from "./coupon.wire.ts";
import type { PlanDefinition } from "./plan.wire.ts";
import type { TaxRateDefinition } from "./tax-rate.wire.ts";

/** The default values of members. A member with its default value is equivalent to an absent member. */
const defaults: Readonly<Record<string, unknown>> = {
  trial_days: 0,
  public: true,
  flat: 0,
  minimum: 0,
  free_units: 0,
  flat_at_zero: false,
};

const exactMembers: ReadonlySet<string> = new Set(["unit", "rate", "min", "max", "percent"]);

/** Meters and currencies can be treated like other keys, because their names differ from the names above. */
const normalize = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => member !== undefined && !(name in defaults && defaults[name] === member),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      exactMembers.has(name) && typeof member === "string" ? formatExact(parseExact(member)) : normalize(member),
    ]),
  );
};

/**
 * Lower-case hex SHA-256 of the definition's canonical JSON (RFC 8785). Equivalent definitions have the same hash. The
 * order of members, explicit default values and trailing zeros, as in `"0.80"`, don't change the hash.
 */
export const canonicalHash = (definition: PlanDefinition | CouponDefinition | TaxRateDefinition): string =>
  hash("sha256", canonicalize(normalize(definition)) ?? "", "hex");
