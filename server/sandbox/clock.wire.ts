import { z } from "zod";

/** The sandbox's business time, and its offset from real time. */
export const clockSchema = z.strictObject({
  now: z.iso.datetime(),
  ahead_seconds: z.int().min(0),
});

/** RFC 3339, with an offset. Fractions below a millisecond are truncated. */
export const advanceRequestSchema = z.strictObject({ advance_to: z.iso.datetime({ offset: true }).max(40) });

export const advancedSchema = z.strictObject({ now: z.iso.datetime(), advanced_from: z.iso.datetime() });
