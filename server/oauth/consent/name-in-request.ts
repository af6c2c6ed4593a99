import { DomainError, isDomainError } from "../../kernel/errors.ts";

/** Of all mandates together: one method pays for a request. */
const sharedPointers: readonly string[] = ["/payment_method_id"];

/**
 * Does `work` for one mandate of a request.
 * @throws DomainError whose pointers name the field within the request: `/mandates/0/valid_until`.
 */
export const nameInRequest = async <T>(index: number, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error) || error.errors.length === 0) throw error;
    const errors = error.errors.map(({ pointer, detail }) => ({
      pointer: sharedPointers.includes(pointer) ? pointer : `/mandates/${index}${pointer}`,
      detail,
    }));
    throw new DomainError(error.kind, error.code, error.message, { errors, cause: error });
  }
};
