/**
 * The `ref` of a controlled field. It reads the text that was entered before the script ran: the browser keeps this
 * text, but React doesn't call `onChange` for it.
 */
export const adoptEarlyInput =
  (take: (value: string) => void) =>
  (field: HTMLInputElement | null): void => {
    const isEntered = field !== null && (field.type !== "radio" || field.checked);
    if (isEntered) take(field.value);
  };
