import { DomainError } from "../../../kernel/errors.ts";

export const pendingRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "change_pending",
    message: "A change of plan is pending. Withdraw it, or wait until it takes effect at the end of the period.",
  });
