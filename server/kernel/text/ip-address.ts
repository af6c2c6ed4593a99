import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** Unwraps an IPv4 address that a dual-stack socket reports as IPv6 (RFC 4291 §2.5.5.2). */
export const unmapAddress = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
};

/**
 * The unit of limits per IP address: an IPv4 address, or an IPv6 /64, which is the smallest block of one subscriber
 * (RFC 6177).
 * @example "2001:db8::1" → "2001:db8:0:0::/64"
 */
export const addressPrefix = (address: string): string => {
  if (!address.includes(":")) return address;
  const plain = unmapAddress(address.split("%", 1)[0] ?? "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const leading = head === "" ? [] : head.split(":");
  const trailing = tail ? tail.split(":") : [];
  // An ending in dotted IPv4 notation stands for two groups.
  const missing = 8 - leading.length - trailing.length - (plain.includes(".") ? 1 : 0);
  const groups = [...leading, ...(tail === undefined ? [] : Array<string>(missing).fill("0")), ...trailing];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
};

const loopback = /^(127\.|::1$|::ffff:127\.)/;
export const isLoopbackAddress = (address: string): boolean => loopback.test(address);

/** Addresses and networks, such as `10.0.0.0/8` or `fd00::/8`. */
export type AddressSet = { has(address: string): boolean };

/** @throws Error naming the entry that is neither an address nor a network. */
export const parseAddressSet = (text: string): AddressSet => {
  const list = new BlockList();
  let isEmpty = true;
  for (const item of text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [address = "", bits, rest] = item.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    const widest = family === "ipv4" ? 32 : 128;
    if (
      isIP(address) === 0 ||
      rest !== undefined ||
      (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
    ) {
      throw new Error(`${JSON.stringify(item)} is neither an IP address nor a network`);
    }
    list.addSubnet(address, bits === undefined ? widest : Number(bits), family);
    isEmpty = false;
  }
  return {
    has: (address) => !isEmpty && isIP(address) !== 0 && list.check(address, isIPv4(address) ? "ipv4" : "ipv6"),
  };
};
