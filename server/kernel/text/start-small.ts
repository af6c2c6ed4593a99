/** `This month` becomes `this month`, to continue a text. */
export const startSmall = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
