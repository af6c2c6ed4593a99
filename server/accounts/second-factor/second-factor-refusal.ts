import { DomainError } from "../../kernel/errors.ts";

/** The page redirects to the page for the second factor. Then the person repeats the action. */
export const secondFactorRefusal = (): DomainError =>
  new DomainError("forbidden", {
    code: "second_factor_required",
    message: "Operators need a second factor. Reload the page, then set up or confirm your second factor.",
  });
