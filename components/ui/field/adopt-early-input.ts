/**
 * The `ref` of a controlled field. It reads the text that was entered before the script ran, because React doesn't call
 * `onChange` for this text.
 */
export const adoptEarlyInput =
  (take: (value: string) => void) =>
  (field: HTMLInputElement | null): void => {
    const isEntered = field !== null && (field.type !== "radio" || field.checked);
    if (isEntered) take(field.value);
  };
