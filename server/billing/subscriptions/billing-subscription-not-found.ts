import { DomainError } from "../../kernel/errors.ts";

export const billingSubscriptionNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "subscription_not_found",
    message: "The merchant has no subscription. An operator assigns the first plan.",
  });
