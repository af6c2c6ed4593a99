import { tabStorage } from "../ui/tab-storage.ts";

const key = "typed-email";

/**
 * The `ref` of an e-mail field. The forms for sign-in, sign-up, password reset and recovery codes show the address that
 * the person typed into one of them in this tab.
 */
export const shareTypedEmail = (field: HTMLInputElement | null): (() => void) | undefined => {
  if (!field || field.readOnly) return undefined;
  const keep = () => tabStorage.write(key, field.value);
  if (field.value) keep();
  else field.value = tabStorage.read(key) ?? "";
  field.addEventListener("input", keep);
  return () => field.removeEventListener("input", keep);
};

/** Call it when a form was accepted: the next person who uses the tab must not see the address. */
export const forgetTypedEmail = (): void => tabStorage.remove(key);
