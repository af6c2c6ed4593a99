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
/** What a caller may write into the header itself. */
const claimed = fc.oneof(fc.ipV4(), proxy, fc.string(), fc.constant("127.0.0.1, ::1, unknown"));

test("whatever a caller claims, behind trusted proxies it is the address that the first of them saw", () => {
  fc.assert(
    fc.property(claimed, caller, fc.array(proxy, { maxLength: 3 }), proxy, (lie, address, between, nearest) => {
      const forwarded = [lie, address, ...between].join(", ");
      expect(clientAddress(nearest, forwarded, proxies)).toBe(address);
    }),
  );
});

test("a peer that is no proxy is the caller, whatever the header says", () => {
  fc.assert(
    fc.property(claimed, caller, (lie, address) => {
      expect(clientAddress(address, lie, proxies)).toBe(address);
      expect(clientAddress(address, undefined, proxies)).toBe(address);
    }),
  );
});
