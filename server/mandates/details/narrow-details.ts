import { narrow } from "../rules/narrow.ts";

export type { Narrowing } from "../rules/narrow.ts";

/** Lower caps and an earlier end for details, at consent or live. @throws DomainError naming the field that would widen. */
export const narrowDetails = narrow;
