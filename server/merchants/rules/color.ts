const colorPattern = /^#[0-9a-f]{6}$/;

/** Reads a color as typed, with or without `#`, in the long or short form. @returns `#rrggbb`; null: not a color. */
export const readColor = (text: string): string | null => {
  const typed = text.trim().toLowerCase().replace(/^#?/, "#");
  const long = /^#[0-9a-f]{3}$/.test(typed) ? typed.replaceAll(/[0-9a-f]/g, "$&$&") : typed;
  return colorPattern.test(long) ? long : null;
};
