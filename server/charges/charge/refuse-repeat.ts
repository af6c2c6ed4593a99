import { DomainError } from "../../kernel/errors.ts";

export const differentBodyRefusal = (): DomainError =>
  new DomainError(
    "unprocessable",
    "idempotency_key_reused",
    "This Idempotency-Key was used with another body. Use a new key.",
  );

export const inProgressRefusal = (): DomainError =>
  new DomainError(
    "conflict",
    "idempotency_key_in_use",
    "A request with this Idempotency-Key is in progress. Send it again in a moment.",
    {
      headers: { "retry-after": "1" },
    },
  );
