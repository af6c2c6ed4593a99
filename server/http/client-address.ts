import { isIP } from "node:net";
import { type AddressSet, unmapAddress } from "../kernel/text/ip-address.ts";

/**
 * The caller's IP address: the socket's peer or, if the peer is a trusted proxy, the last address in X-Forwarded-For
 * that isn't a trusted proxy. Every hop appends an address at the end, so addresses that the caller wrote itself are
 * further left and never used.
 */
export const clientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: AddressSet,
): string => {
  let address = unmapAddress(socketAddress ?? "");
  if (forwardedFor === undefined || !trustedProxies.has(address)) return address;
  const hops = forwardedFor.split(",");
  while (hops.length > 0 && trustedProxies.has(address)) {
    const hop = addressOf(hops.pop() ?? "");
    // If an item of the header isn't an address, no item to the left of it is trusted.
    if (hop === null) return address;
    address = hop;
  }
  return address;
};

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const addressOf = (hop: string): string | null => {
  const text = hop.trim();
  const plain =
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(plain) === 0 ? null : unmapAddress(plain);
};
