import type { Answer, IdempotencyKey } from "../../data/charges/idempotency.ts";

/** The first final answer under the idempotency key, as it was stored. */
export type StoredResult = { outcome: "stored"; chargeId: string; answer: Answer };

/** The result of a request with an idempotency key. A repeat after the first final answer gets that answer. */
export type KeyedResult<Result> = (Result | StoredResult) & { isRepeat: boolean };

/** @returns null while there is no final answer under the key. */
export const storedResult = ({ chargeId, answer }: IdempotencyKey): (StoredResult & { isRepeat: true }) | null =>
  answer && { outcome: "stored", chargeId, answer, isRepeat: true };
