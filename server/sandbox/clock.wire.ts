import { z } from "zod";

/** The sandbox's business time, and how far ahead of real time that is. */
export const clockSchema = z.strictObject({
  now: z.iso.datetime(),
  ahead_seconds: z.int().min(0),
});

/** RFC 3339, with an offset; finer than a millisecond is cut off. */
export const advanceRequestSchema = z.strictObject({ advance_to: z.iso.datetime({ offset: true }).max(40) });

export const advancedSchema = z.strictObject({ now: z.iso.datetime(), advanced_from: z.iso.datetime() });
