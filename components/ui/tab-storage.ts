/** @returns null if the browser blocks site data: in that case, reading `sessionStorage` throws a SecurityError. */
const findStorage = (): Storage | null => {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
};

/**
 * Texts that this tab keeps until it is closed. If the browser blocks site data or the storage is full, nothing is kept,
 * and pages work without it.
 */
export const tabStorage = {
  read: (key: string): string | null => findStorage()?.getItem(key) ?? null,

  write: (key: string, text: string): void => {
    try {
      findStorage()?.setItem(key, text);
    } catch {
      // The storage is full.
    }
  },

  remove: (key: string): void => findStorage()?.removeItem(key),
};
