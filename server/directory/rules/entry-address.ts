import { isPlain } from "../../kernel/text/text.ts";

/**
 * An https address that an entry may show: without credentials, which can look like a host name, and without characters
 * that aren't visible or change the direction of text.
 */
export const isEntryAddress = (text: string): boolean => {
  if (!/^https:\/\/\S+$/i.test(text) || !isPlain(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
};

/**
 * The address in ASCII (RFC 3986; RFC 5891, A-labels). Otherwise, the host of another site could look like a known one,
 * because letters of other scripts can look like Latin letters.
 */
export const asciiAddress = (address: string): string => (/^[!-~]+$/.test(address) ? address : new URL(address).href);
