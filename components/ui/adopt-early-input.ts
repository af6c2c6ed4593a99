/**
 * The `ref` of a controlled field. It takes over what was entered before the script ran: the browser keeps that text, and React
 * calls no `onChange` for it.
 */
export const adoptEarlyInput =
  (take: (value: string) => void) =>
  (field: HTMLInputElement | null): void => {
    const isEntered = field !== null && (field.type !== "radio" || field.checked);
    if (isEntered) take(field.value);
  };
