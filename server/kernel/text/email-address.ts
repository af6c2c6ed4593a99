const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

/**
 * A valid e-mail address by the HTML Standard (4.10.5.1.5), as browsers accept it in a form, with at
 * most 64 characters before the @ and 254 in total (RFC 5321 §4.5.3.1). It can't contain a line break or a
 * second address, so it is safe in a header.
 */
export const emailAddressPattern = new RegExp(
  `^(?=.{1,254}$)(?=.{1,64}@)[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`,
);

/** A typed address as accounts and invitations store it. */
export const tidyEmail = (typed: string): string => typed.trim().toLowerCase();

export const isEmailAddress = (text: string): boolean => emailAddressPattern.test(text);
