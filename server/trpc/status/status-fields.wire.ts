import { z } from "zod";
import { components } from "../../status/rules/components.ts";

/** Fields of the status process's JSON. Durations are in milliseconds. Percentages are texts, rounded down. */
const [firstKey, ...otherKeys] = components.map(({ key }) => key);
if (!firstKey) throw new Error("no components");
export const componentId = z.enum([firstKey, ...otherKeys]);

export const state = z.enum(["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"]);
export const instant = z.iso.datetime();
export const milliseconds = z.int().nonnegative();
export const percent = z.string().nullable().describe("Rounded down; null if nothing was measured");
export const objective = z
  .string()
  .nullable()
  .describe("Percent of a UTC calendar month; null if the component has no objective");

export const checkedAt = {
  checked_at: instant,
  read_at: instant.describe("When the service's database was last read"),
};

export const exampleInstant = "2026-11-21T12:00:00.000Z";
export const exampleTimes = { checked_at: exampleInstant, read_at: "2026-11-21T11:59:57.204Z" };
