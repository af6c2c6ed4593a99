import { z } from "zod";
import { fieldErrors } from "../../../contract/body/field-errors.ts";
import { type CatalogueEntry, type CatalogueKind, sectionOf } from "../../rules/catalogue/catalogue-entry.ts";
import { couponCodeSchema, couponDefinitionSchema } from "../../rules/plans/coupon.wire.ts";
import { planEntrySchema, planIdSchema } from "../../rules/plans/plan.wire.ts";
import { taxRateDefinitionSchema, taxRegionSchema } from "../../rules/plans/tax-rate.wire.ts";
import { type FileProblem, readYaml, type YamlFile } from "./read-yaml.ts";

export type ReadCatalogue = {
  /** the valid entries, in the order of the file */
  entries: readonly CatalogueEntry[];
  problems: readonly FileProblem[];
  /** adds the position to a problem that is found later */
  locate(problem: { pointer: string; message: string }): FileProblem;
};

/**
 * Reads a catalogue file and checks everything that doesn't depend on the current catalogue. Entries are checked one by
 * one, so that the problems of all entries are returned.
 */
export const readCatalogue = (text: string): ReadCatalogue => {
  const yaml = readYaml(text);
  const problems = [...yaml.problems];
  const refuse = (error: z.ZodError, base: string) => problems.push(...toProblems(yaml, error, base));
  const file = fileSchema.safeParse(yaml.value);
  // After a syntax error, the value is null.
  if (!file.success && (yaml.value !== null || problems.length === 0)) refuse(file.error, "");
  const entries = Object.values(kinds).flatMap((kind) =>
    membersOf(yaml.value, sectionOf[kind]).flatMap(([id, value]) => {
      const base = `/${sectionOf[kind]}/${id.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const named = idSchemas[kind].safeParse(id);
      if (!named.success) {
        const message = named.error.issues[0]?.message ?? "";
        problems.push({ pointer: base, message: `the name ${message}`, ...yaml.positionOf(base, "key") });
      }
      const read = readers[kind](id, value);
      if (!read.success) refuse(read.error, base);
      return named.success && read.success ? [read.data] : [];
    }),
  );
  return { entries, problems, locate: (problem) => ({ ...problem, ...yaml.positionOf(problem.pointer, "value") }) };
};

/** An empty section is null in YAML. */
const section = z.record(z.string(), z.unknown(), { error: "must be of type object" }).nullish();
const fileSchema = z.strictObject({ catalogue: z.literal(1), plans: section, coupons: section, tax_rates: section });

const kinds: readonly CatalogueKind[] = ["plan", "coupon", "tax_rate"];
const idSchemas = { plan: planIdSchema, coupon: couponCodeSchema, tax_rate: taxRegionSchema };

type Reader = (id: string, value: unknown) => z.ZodSafeParseResult<CatalogueEntry>;

const planSchema = (id: string) =>
  planEntrySchema.transform(({ retired = false, migrate, ...definition }): CatalogueEntry => {
    return { kind: "plan", id, definition, isRetired: retired, isMigrating: migrate !== undefined };
  });
const readers: Readonly<Record<CatalogueKind, Reader>> = {
  plan: (id, value) => planSchema(id).safeParse(value),
  coupon: (id, value) =>
    couponDefinitionSchema
      .transform((definition): CatalogueEntry => ({ kind: "coupon", id, definition }))
      .safeParse(value),
  tax_rate: (id, value) =>
    taxRateDefinitionSchema
      .transform((definition): CatalogueEntry => ({ kind: "tax_rate", id, definition }))
      .safeParse(value),
};

const membersOf = (value: unknown, name: string): [string, unknown][] => {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : null;
  return typeof found === "object" && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
};

const toProblems = (yaml: YamlFile, { issues }: z.ZodError, base: string): FileProblem[] =>
  issues.flatMap((issue) => {
    // These problems are about a key. All others are about its value.
    const part = issue.code === "unrecognized_keys" || issue.code === "invalid_key" ? "key" : "value";
    return fieldErrors(new z.ZodError([issue]), base).map(({ pointer, detail }) => ({
      pointer,
      message: detail,
      ...yaml.positionOf(pointer, part),
    }));
  });
