import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAddressSet } from "../kernel/text/ip-address.ts";
import { clientAddress } from "./client-address.ts";

const proxies = parseAddressSet("10.0.0.0/8, fd00::/8");
const proxy = fc.tuple(fc.nat(255), fc.nat(255)).map(([third, fourth]) => `10.0.${third}.${fourth}`);
const caller = fc.oneof(
  fc.ipV4().filter((address) => !address.startsWith("10.")),
  fc.constant("2001:db8::7"),
);
/** Header values that a caller may send. */
const claimed = fc.oneof(fc.ipV4(), proxy, fc.string(), fc.constant("127.0.0.1, ::1, unknown"));

test("behind trusted proxies, the caller's IP address is the one that the outermost proxy saw, whatever header the caller sends", () => {
  fc.assert(
    fc.property(claimed, caller, fc.array(proxy, { maxLength: 3 }), proxy, (lie, address, between, nearest) => {
      const forwarded = [lie, address, ...between].join(", ");
      expect(clientAddress(nearest, forwarded, proxies)).toBe(address);
    }),
  );
});

test("a peer that isn't a trusted proxy is the caller, even if it sends a header with another address", () => {
  fc.assert(
    fc.property(claimed, caller, (lie, address) => {
      expect(clientAddress(address, lie, proxies)).toBe(address);
      expect(clientAddress(address, undefined, proxies)).toBe(address);
    }),
  );
});
