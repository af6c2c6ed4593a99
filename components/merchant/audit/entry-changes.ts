import { capitalize } from "../../format/text.ts";
import { settingLabels } from "../settings/setting-texts.ts";

type Change = { name: string; from: string; to: string };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value of an entry as text. */
export const factText = (value: unknown): string => {
  if (value === null || value === "" || value === undefined) return "Not set";
  if (Array.isArray(value)) return value.map(factText).join(", ") || "None";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value);
};

/** `event_types` → `Event types`. */
export const nameText = (name: string): string => {
  const known = (settingLabels as Readonly<Record<string, string>>)[name];
  if (known !== undefined) return known;
  const words = name.replaceAll("_", " ").replace(/\bid\b/g, "ID");
  return capitalize(words);
};

/** The values of an entry with `before` and `after`. */
export const changesOf = (before: unknown, after: unknown): Change[] =>
  isRecord(before) && isRecord(after)
    ? Object.keys(after).map((name) => ({ name, from: factText(before[name]), to: factText(after[name]) }))
    : [];
