import { stringify } from "yaml";
import { findNewestCatalogue } from "../../data/billing/catalogue/catalogue-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { type CatalogueKind, sectionOf } from "../rules/catalogue/catalogue-entry.ts";
import type { NewestVersion } from "../rules/catalogue/decide-changes.ts";

/**
 * The newest version of every catalogue entry, as a file. Applying the file changes nothing.
 * @returns YAML
 */
export const exportCatalogue = async ({ db }: Pick<Deps, "db">): Promise<string> => {
  const newest = await findNewestCatalogue(db.sql);
  const file: Record<string, unknown> = { catalogue: 1 };
  for (const kind of ["plan", "coupon", "tax_rate"] satisfies CatalogueKind[]) {
    const entries = newest.filter((one) => one.kind === kind).map((one) => [one.id, toEntry(one)]);
    if (entries.length > 0) file[sectionOf[kind]] = Object.fromEntries(entries);
  }
  return stringify(file, { lineWidth: 120 });
};

const toEntry = ({ definition, isRetired, migratesTo, version }: NewestVersion): object => ({
  ...definition,
  ...(isRetired ? { retired: true } : {}),
  ...(migratesTo.includes(version) ? { migrate: "next_period" } : {}),
});
