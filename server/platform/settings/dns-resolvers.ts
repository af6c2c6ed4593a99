import { isIP, isIPv4 } from "node:net";

const malformed =
  "must be two different IP addresses separated by a comma, each with an optional port: 9.9.9.9,1.1.1.1";

/** An address in the form of Node's resolver: `9.9.9.9:53` or `[2620:fe::fe]:53`. */
const readResolver = (text: string): string => {
  const bare = isIP(text) === 6 ? `[${text}]` : text;
  const [, bracketed, plain, port = "53"] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const isAddress = bracketed === undefined ? isIPv4(plain ?? "") : isIP(bracketed) === 6;
  // A zone names an interface of one machine.
  if (!isAddress || bracketed?.includes("%") || Number(port) < 1 || Number(port) > 65_535) throw new Error(malformed);
  return bracketed === undefined ? `${plain}:${Number(port)}` : `[${bracketed.toLowerCase()}]:${Number(port)}`;
};

/** @returns null if the text is empty. @throws Error whose message describes the problem in one line. */
export const parseDnsResolvers = (text: string): [string, string] | null => {
  if (text.trim() === "") return null;
  const [first, second, ...rest] = text.split(",").map((part) => readResolver(part.trim()));
  if (first === undefined || second === undefined || rest.length > 0 || first === second) throw new Error(malformed);
  return [first, second];
};
