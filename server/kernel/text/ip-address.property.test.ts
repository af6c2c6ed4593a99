import fc from "fast-check";
import { expect, test } from "vitest";
import { addressPrefix, parseAddressSet } from "./ip-address.ts";

const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const full = (parts: readonly number[]) => parts.map((part) => part.toString(16).padStart(4, "0")).join(":");
/** The short form of an address, as URLs use it (RFC 5952). */
const short = (parts: readonly number[]) => new URL(`http://[${full(parts)}]`).hostname.slice(1, -1);

test("IPv6 addresses share a limit if and only if their first 64 bits are equal, in any spelling", () => {
  fc.assert(
    fc.property(groups, groups, fc.nat(8), (one, other, shared) => {
      const second = [...one.slice(0, shared), ...other.slice(shared)];
      const isSame = full(one).slice(0, 19) === full(second).slice(0, 19);
      expect(addressPrefix(full(one)) === addressPrefix(short(second))).toBe(isSame);
      expect(addressPrefix(full(one).toUpperCase())).toBe(addressPrefix(short(one)));
    }),
  );
});

test("a network contains an address if and only if their leading bits are equal (RFC 4632 §3.1)", () => {
  const toNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 1, max: 32 }), (network, address, bits) => {
      const shift = 32n - BigInt(bits);
      const isInside = toNumber(network) >> shift === toNumber(address) >> shift;
      expect(parseAddressSet(`${network}/${bits}`).has(address)).toBe(isInside);
      expect(parseAddressSet(`192.0.2.1, ${network}/${bits}`).has(network)).toBe(true);
    }),
  );
});
