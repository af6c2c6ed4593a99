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
