import { expect, test } from "vitest";
import { siteOf } from "./outbound-url.ts";

test.each([
  ["hooks.shop.example", "shop.example"],
  ["a.b.shop.co.uk", "shop.co.uk"],
  ["one.github.io", "one.github.io"],
  ["deep.one.github.io", "one.github.io"],
  ["-a1.shop.example", "shop.example"],
  ["a!b.shop.example", "shop.example"],
  ["a_.shop.example", "shop.example"],
  ["localhost", "localhost"],
  ["192.0.2.7", "192.0.2.7"],
  ["[2001:db8:1:2:3::4]", "2001:db8:1:2::/64"],
])("the owner of %s is identified by %s", (hostname, site) => {
  expect(siteOf(hostname)).toBe(site);
});
