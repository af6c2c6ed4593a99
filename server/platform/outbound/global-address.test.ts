import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isGloballyReachable } from "./global-address.ts";

describe("an address (IANA special-purpose registries, RFC 6890)", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["this network, at its end", "0.255.255.255"],
    ["private use", "10.0.0.1"],
    ["carrier-grade NAT, at its start", "100.64.0.0"],
    ["carrier-grade NAT, at its end", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback, at its end", "127.255.255.254"],
    ["link-local, with the metadata service of clouds", "169.254.169.254"],
    ["private use, at its start", "172.16.0.0"],
    ["private use, at its end", "172.31.255.255"],
    ["protocol assignments", "192.0.0.170"],
    ["documentation", "192.0.2.1"],
    ["6to4 relays", "192.88.99.1"],
    ["private use", "192.168.1.1"],
    ["benchmarking", "198.19.255.255"],
    ["documentation", "198.51.100.7"],
    ["documentation", "203.0.113.7"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-mapped", "::ffff:8.8.8.8"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped loopback, in hexadecimal", "::ffff:7f00:1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["IPv4-translated", "::ffff:0:8.8.8.8"],
    ["NAT64", "64:ff9b::8.8.8.8"],
    ["NAT64 to a private address", "64:ff9b::10.0.0.1"],
    ["NAT64 for local use", "64:ff9b:1::8.8.8.8"],
    ["discard-only", "100::1"],
    ["dummy prefix", "100:0:0:1::1"],
    ["Teredo", "2001::1"],
    ["benchmarking", "2001:2::1"],
    ["ORCHID", "2001:10::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["6to4 of a public address", "2002:808:808::1"],
    ["documentation", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["not allocated", "4000::1"],
    ["unique local", "fd12:3456:789a::1"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["a zone", "2606:4700::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["multicast of global scope", "ff0e::1"],
    ["no address", "localhost"],
    ["no address", ""],
    ["a number", "2130706433"],
    ["octal", "0177.0.0.1"],
    ["too short", "127.1"],
  ])("isn't globally reachable: %s, %s", (_title, address) => {
    expect(isGloballyReachable(address)).toBe(false);
  });

  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001::1",
    "2001:4860:4860::8888",
    "2001:200::1",
  ])("is globally reachable: %s", (address) => {
    expect(isGloballyReachable(address)).toBe(true);
  });
});

const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."));
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });
const inHex = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

describe("for all addresses", () => {
  test("no address of private and local blocks is reachable", () => {
    const privates = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(fc.property(privates, (octets) => !isGloballyReachable(octets.join("."))));
  });

  test("no IPv6 address that embeds an IPv4 address is reachable", () => {
    const forms = fc.constantFrom(
      (address: string) => `::ffff:${address}`,
      (address: string) => `::ffff:${inHex(address)}`,
      (address: string) => `0:0:0:0:0:FFFF:${inHex(address)}`,
      (address: string) => `::${address}`,
      (address: string) => `::ffff:0:${address}`,
      (address: string) => `64:ff9b::${address}`,
      (address: string) => `64:ff9b:1:1::${address}`,
      (address: string) => `2002:${inHex(address)}::1`,
      (address: string) => `2001:0:${inHex(address)}::1`,
    );
    fc.assert(fc.property(ipv4, forms, (address, form) => !isGloballyReachable(form(address))));
  });

  test("no IPv6 address outside of global unicast is reachable (RFC 4291 §2.4)", () => {
    const first = fc.integer({ min: 0, max: 0xffff }).filter((value) => value >> 13 !== 1);
    fc.assert(
      fc.property(first, groups(7), (value, rest) => !isGloballyReachable([value.toString(16), ...rest].join(":"))),
    );
  });

  test("never throws for any text, and only addresses can be reachable", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const answer = isGloballyReachable(text);
        return !answer || /^[0-9A-Fa-f:.]+$/.test(text);
      }),
    );
  });
});
