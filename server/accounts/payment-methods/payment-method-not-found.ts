import { DomainError } from "../../kernel/errors.ts";

export const paymentMethodNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "payment_method_not_found",
    message: "Payment method not found. It may have been removed.",
  });
