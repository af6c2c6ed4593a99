import { describe, expect, it } from "vitest";
import { addressPrefix, parseAddressSet } from "./ip-address.ts";

describe("IP addresses that share a limit", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:DB8:0:0:ffff::1", "2001:db8:0:0::/64"],
    ["2001:0db8:0000:0000:1:2:3:4", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["64:ff9b:1:2::192.0.2.33", "64:ff9b:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["not an address", "not an address"],
  ])("%s is limited as %s", (address, prefix) => {
    expect(addressPrefix(address)).toBe(prefix);
  });
});

describe("a set of addresses", () => {
  it("contains the listed addresses and networks, and nothing else", () => {
    const set = parseAddressSet("10.0.0.0/8, 192.0.2.1,fd00::/8");
    expect(["10.1.2.3", "192.0.2.1", "fd12::1"].map((address) => set.has(address))).toEqual([true, true, true]);
    expect(["11.0.0.1", "192.0.2.2", "fe80::1", "", "10.1.2"].map((address) => set.has(address))).not.toContain(true);
  });

  it("is empty for an empty list", () => {
    expect(parseAddressSet("").has("127.0.0.1")).toBe(false);
  });

  it.each(["10.0.0.0/33", "fd00::/129", "proxy.example", "10.0.0.0/8/8", "10.0.0.0/"])(
    "refuses an invalid entry, and names it: %s",
    (text) => {
      expect(() => parseAddressSet(text)).toThrow(text);
    },
  );
});
