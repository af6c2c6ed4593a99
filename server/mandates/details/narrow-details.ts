import { narrow } from "../rules/narrow.ts";

export type { Narrowing } from "../rules/narrow.ts";

/**
 * Applies lower limits and an earlier end, at consent or later.
 * @throws DomainError naming the field that would widen the mandate.
 */
export const narrowDetails = narrow;
