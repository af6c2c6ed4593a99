import { BlockList, isIP } from "node:net";

type Block = readonly [network: string, prefixLength: number];

/**
 * Addresses that aren't globally reachable, or aren't a single host: the IANA IPv4 Special-Purpose Address Registry
 * (RFC 6890), and multicast (RFC 5771). Blocks that are partly reachable are excluded entirely: no web server uses
 * them.
 */
const specialIpv4: readonly Block[] = [
  ["0.0.0.0", 8], // this network, RFC 791
  ["10.0.0.0", 8], // private use, RFC 1918
  ["100.64.0.0", 10], // carrier-grade NAT, RFC 6598
  ["127.0.0.0", 8], // loopback, RFC 1122
  ["169.254.0.0", 16], // link-local, with the metadata service of clouds, RFC 3927
  ["172.16.0.0", 12], // private use, RFC 1918
  ["192.0.0.0", 24], // IETF protocol assignments, RFC 6890
  ["192.0.2.0", 24], // documentation, RFC 5737
  ["192.31.196.0", 24], // AS112, RFC 7535
  ["192.52.193.0", 24], // AMT, RFC 7450
  ["192.88.99.0", 24], // 6to4 relays, RFC 7526
  ["192.168.0.0", 16], // private use, RFC 1918
  ["192.175.48.0", 24], // AS112, RFC 7534
  ["198.18.0.0", 15], // benchmarking, RFC 2544
  ["198.51.100.0", 24], // documentation, RFC 5737
  ["203.0.113.0", 24], // documentation, RFC 5737
  ["224.0.0.0", 4], // multicast, RFC 5771
  ["240.0.0.0", 4], // reserved, RFC 1112; the limited broadcast address with it, RFC 919
];

/**
 * In IPv6, only global unicast addresses (2000::/3, RFC 4291 §2.4) can be reachable. All others are excluded:
 * loopback, link-local, unique local, site-local and multicast addresses, the discard-only and dummy prefixes, and
 * segment routing (5f00::/16). Also excluded are addresses that contain an IPv4 address after a fixed prefix:
 * IPv4-mapped, IPv4-compatible, IPv4-translated and NAT64 (64:ff9b::/96 and 64:ff9b:1::/48).
 */
const globalUnicast: Block = ["2000::", 3];

/** Exceptions within 2000::/3: the IANA IPv6 Special-Purpose Address Registry (RFC 6890). */
const specialIpv6: readonly Block[] = [
  ["2001::", 23], // IETF protocol assignments, RFC 2928: Teredo, benchmarking, ORCHID, AMT, AS112, drone ids
  ["2001:db8::", 32], // documentation, RFC 3849
  ["2002::", 16], // 6to4, which contains an IPv4 address, RFC 3056
  ["2620:4f:8000::", 48], // AS112, RFC 7534
  ["3fff::", 20], // documentation, RFC 9637
];

const listOf = (family: "ipv4" | "ipv6", blocks: readonly Block[]): BlockList => {
  const list = new BlockList();
  for (const [network, prefixLength] of blocks) list.addSubnet(network, prefixLength, family);
  return list;
};

const special4 = listOf("ipv4", specialIpv4);
const unicast6 = listOf("ipv6", [globalUnicast]);
const special6 = listOf("ipv6", specialIpv6);

/** Whether a text is the IP address of a publicly reachable host. False for anything else. */
export const isGloballyReachable = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, "ipv4");
    case 6:
      // A zone names an interface of this machine (RFC 4007 §11).
      return !address.includes("%") && unicast6.check(address, "ipv6") && !special6.check(address, "ipv6");
    default:
      return false;
  }
};

const loopback4 = listOf("ipv4", [["127.0.0.0", 8]]);

export const isLoopback = (address: string): boolean =>
  address === "::1" || (isIP(address) === 4 && loopback4.check(address, "ipv4"));
