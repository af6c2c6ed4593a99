/**
 * The `ref` of a controlled field. What was entered before the script ran stays in the field, and React calls no `onChange`
 * for it: it is taken over here.
 */
export const takeEarly =
  (take: (value: string) => void) =>
  (field: HTMLInputElement | null): void => {
    const isEntered = field !== null && (field.type !== "radio" || field.checked);
    if (isEntered) take(field.value);
  };
