const key = "typed-email";

/** @returns null if the browser blocks site data: then reading the property throws a SecurityError. */
const findStorage = (): Storage | null => {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
};

const keepTypedEmail = (email: string): void => {
  try {
    findStorage()?.setItem(key, email);
  } catch {
    // The storage is full, so the other forms don't show the address.
  }
};

/**
 * The `ref` of an e-mail field. The forms for sign-in, sign-up, password reset and recovery codes show the address that
 * the person typed into one of them in this tab.
 */
export const shareTypedEmail = (field: HTMLInputElement | null): (() => void) | undefined => {
  if (!field || field.readOnly) return undefined;
  const keep = () => keepTypedEmail(field.value);
  if (field.value) keep();
  else field.value = findStorage()?.getItem(key) ?? "";
  field.addEventListener("input", keep);
  return () => field.removeEventListener("input", keep);
};

/** Call it when a form was accepted: the next person who uses the tab must not see the address. */
export const forgetTypedEmail = (): void => findStorage()?.removeItem(key);
