import { DomainError } from "../../../kernel/errors.ts";

export const pendingRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "change_pending",
    message: "A change of plan is pending. It takes effect at the end of the period.",
  });
