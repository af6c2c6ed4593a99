import { z } from "zod";

type ViesResult = "valid" | "invalid" | "unavailable";

const answer = z.object({
  isValid: z.boolean().optional(),
  valid: z.boolean().optional(),
  userError: z.string().optional(),
});

/**
 * The URL of a VAT number in the VIES REST API. The prefix of the number is the member state: EL for Greece, XI for
 * Northern Ireland.
 */
export const viesAddress = (baseUrl: string, vatNumber: string): string =>
  `${baseUrl}/ms/${vatNumber.slice(0, 2)}/vat/${encodeURIComponent(vatNumber.slice(2))}`;

/**
 * VIES also answers with 200 when a member state doesn't respond: `userError` then names the problem, for example
 * MS_UNAVAILABLE, and `isValid` is false.
 */
export const readViesAnswer = (value: unknown): ViesResult => {
  const parsed = answer.safeParse(value);
  if (!parsed.success) return "unavailable";
  const { isValid, valid, userError } = parsed.data;
  if (userError === undefined) {
    const verdict = isValid ?? valid;
    if (verdict === undefined) return "unavailable";
    return verdict ? "valid" : "invalid";
  }
  if (userError === "VALID") return "valid";
  return userError === "INVALID" || userError === "INVALID_INPUT" ? "invalid" : "unavailable";
};

const firstRetrySeconds = 15 * 60;
const longestRetrySeconds = 24 * 3_600;

/** Delay before the next attempt if VIES was unavailable. */
export const viesRetrySeconds = (attempts: number): number =>
  Math.min(firstRetrySeconds * 2 ** Math.min(attempts - 1, 10), longestRetrySeconds);
