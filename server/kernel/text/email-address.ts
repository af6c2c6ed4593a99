const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

/**
 * A valid e-mail address as HTML defines it (HTML Standard, 4.10.5.1.5), which is what browsers accept in a form; with at
 * most 64 characters before the @ and 254 in all (RFC 5321 §4.5.3.1). Nothing in it can end a header's line or begin a
 * second address.
 */
export const emailAddressPattern = new RegExp(
  `^(?=.{1,254}$)(?=.{1,64}@)[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`,
);

export const isEmailAddress = (text: string): boolean => emailAddressPattern.test(text);
