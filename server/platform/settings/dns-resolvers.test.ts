import { expect, test } from "vitest";
import { parseDnsResolvers } from "./dns-resolvers.ts";

test.each([
  ["", null],
  [" ", null],
  ["9.9.9.9,1.1.1.1", ["9.9.9.9:53", "1.1.1.1:53"]],
  [" 127.0.0.1:5301 , 127.0.0.1:5302 ", ["127.0.0.1:5301", "127.0.0.1:5302"]],
  ["2620:FE::FE,[2606:4700::1111]:5353", ["[2620:fe::fe]:53", "[2606:4700::1111]:5353"]],
])("reads the resolvers from DNS_RESOLVERS=%s", (text, resolvers) => {
  expect(parseDnsResolvers(text)).toEqual(resolvers);
});

test.each([
  ["one resolver", "9.9.9.9"],
  ["three resolvers", "9.9.9.9,1.1.1.1,8.8.8.8"],
  ["the same resolver twice", "9.9.9.9,9.9.9.9:53"],
  ["an empty part", "9.9.9.9,"],
  ["a name", "dns.example,1.1.1.1"],
  ["a number that isn't an address", "9.9.9,1.1.1.1"],
  ["an address with a zone", "fe80::1%eth0,1.1.1.1"],
  ["brackets around an IPv4 address", "[9.9.9.9]:53,1.1.1.1"],
  ["port 0", "9.9.9.9:0,1.1.1.1"],
  ["a port that is too large", "9.9.9.9:65536,1.1.1.1"],
  ["a scheme", "udp://9.9.9.9,1.1.1.1"],
])("refuses %s", (_title, text) => {
  expect(() => parseDnsResolvers(text)).toThrow("must be two different IP addresses");
});
