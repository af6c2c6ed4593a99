import { DomainError } from "../../kernel/errors.ts";

export const repeatedAlertRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "budget_alert_exists",
    message: "Another alert has this threshold. Enter another amount or percentage.",
    errors: [{ pointer: "/amountMinor", detail: "Another alert has this threshold." }],
  });

export const budgetAlertNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "not_found",
    message: "This budget alert doesn’t exist. It may have been deleted.",
  });
