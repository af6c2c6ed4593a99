import { isIP } from "node:net";
import { type AddressSet, unmapAddress } from "../kernel/text/ip-address.ts";

/**
 * Who calls: the socket's peer, or, where that is a trusted proxy, the nearest address in X-Forwarded-For that is none.
 * Every hop appends to its end, so what a caller wrote itself stands on the left and is never reached.
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
    // A proxy that writes what is no address is trusted no further.
    if (hop === null) return address;
    address = hop;
  }
  return address;
};

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const addressOf = (hop: string): string | null => {
  const text = hop.trim();
  const plain =
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(plain) === 0 ? null : unmapAddress(plain);
};
