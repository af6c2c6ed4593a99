import type { JsonObject } from "../../../kernel/text/json.ts";
import { canonicalHash } from "../plans/canonical-hash.ts";
import { type CatalogueEntry, type CatalogueKind, pointerTo } from "./catalogue-entry.ts";
import { type DefinitionChange, diffDefinitions } from "./diff-definitions.ts";

/** The newest version of a plan, coupon or tax rate. The flags apply only to plans. */
export type NewestVersion = {
  kind: CatalogueKind;
  id: string;
  version: number;
  hash: string;
  definition: JsonObject;
  isRetired: boolean;
  /** the versions to which subscriptions on earlier versions move, ascending */
  migratesTo: readonly number[];
};

/** The change that a file makes to one plan, coupon or tax rate. */
export type CatalogueChange = {
  kind: CatalogueKind;
  id: string;
  /** the newest version before the change; null if there is none */
  from: number | null;
  /** the newest version after the change; equal to `from` if only a flag of the plan changes */
  version: number;
  /** null for coupons and tax rates */
  effectiveFrom: string | null;
  differences: readonly DefinitionChange[];
  hash: string;
  definition: JsonObject;
  isRetired: boolean;
  migratesTo: readonly number[];
};

type Problem = { pointer: string; message: string };

type Input = {
  entries: readonly CatalogueEntry[];
  current: readonly NewestVersion[];
  /** a day of the business clock, in UTC */
  today: string;
};

/** Compares a file with the current catalogue. An entry with an equivalent definition changes nothing. */
export const decideChanges = ({
  entries,
  current,
  today,
}: Input): { changes: CatalogueChange[]; problems: Problem[] } => {
  const find = (kind: CatalogueKind, id: string) => current.find((one) => one.kind === kind && one.id === id) ?? null;
  const changes = entries.flatMap((entry) => {
    const change = changeOf(entry, find(entry.kind, entry.id));
    return change === null ? [] : [change];
  });
  const isPlan = (id: string) =>
    find("plan", id) !== null || entries.some((entry) => entry.kind === "plan" && entry.id === id);
  return {
    changes,
    problems: [...dateProblems(changes, today), ...entries.flatMap((one) => planProblems(one, isPlan))],
  };
};

const changeOf = (entry: CatalogueEntry, before: NewestVersion | null): CatalogueChange | null => {
  const hash = canonicalHash(entry.definition);
  const isNewVersion = before?.hash !== hash;
  const version = (before?.version ?? 0) + (isNewVersion ? 1 : 0);
  const isPlan = entry.kind === "plan";
  const isRetired = isPlan && entry.isRetired;
  const isMigrating = isPlan && entry.isMigrating;
  const wasMigrating = before?.migratesTo.includes(before.version) ?? false;
  // A later version doesn't end a migration. A migration ends when `migrate` is removed from its version.
  const earlier = (before?.migratesTo ?? []).filter((target) => target < version);
  const migratesTo = isMigrating ? [...earlier, version] : earlier;
  const areFlagsSame = isRetired === (before?.isRetired ?? false) && (isNewVersion || isMigrating === wasMigrating);
  if (!isNewVersion && areFlagsSame) return null;
  const definition = entry.definition as JsonObject;
  const flags = (retired: boolean, migrates: boolean): JsonObject => ({
    ...(retired ? { retired } : {}),
    ...(migrates ? { migrate: "next_period" } : {}),
  });
  const old = before ? { ...before.definition, ...flags(before.isRetired, wasMigrating) } : {};
  return {
    kind: entry.kind,
    id: entry.id,
    from: before?.version ?? null,
    version,
    effectiveFrom: isPlan ? entry.definition.effective_from : null,
    differences: diffDefinitions(old, { ...definition, ...flags(isRetired, isMigrating) }),
    hash,
    definition,
    isRetired,
    migratesTo,
  };
};

/** A new version can't take effect in the past. An unchanged version may already be in effect. */
const dateProblems = (changes: readonly CatalogueChange[], today: string): Problem[] =>
  changes.flatMap(({ kind, id, from, version, effectiveFrom }) => {
    if (effectiveFrom === null || version === from || effectiveFrom >= today) return [];
    const message = `${effectiveFrom} is in the past: a ${from === null ? "new plan" : "changed plan"} must take effect today (${today}) or later`;
    return [{ pointer: pointerTo({ kind, id }, "effective_from"), message }];
  });

const planProblems = (entry: CatalogueEntry, isPlan: (id: string) => boolean): Problem[] => {
  if (entry.kind !== "coupon") return [];
  return (entry.definition.plans ?? []).flatMap((id, index) =>
    isPlan(id) ? [] : [{ pointer: pointerTo(entry, "plans", String(index)), message: `plan "${id}" doesn’t exist` }],
  );
};
