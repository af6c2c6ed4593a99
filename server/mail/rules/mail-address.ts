const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const address = new RegExp(`^(?=.{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`);

/**
 * What mail is sent to: RFC 5321 §4.1.2 without quoted local parts and address literals, at most 254 characters
 * (§4.5.3.1.3). Nothing in it can end a header's line or begin a second address.
 */
export const isMailAddress = (text: string): boolean => text.length <= 254 && address.test(text);
