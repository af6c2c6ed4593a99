import { describe, expect, it } from "vitest";
import { parseAddressSet } from "../kernel/text/ip-address.ts";
import { clientAddress } from "./client-address.ts";

const noProxies = parseAddressSet("");
const proxies = parseAddressSet("10.0.0.0/8,::1");

describe("the caller's IP address", () => {
  it("is the socket's peer, whatever X-Forwarded-For contains, if no proxy is trusted", () => {
    expect(clientAddress("192.0.2.1", "203.0.113.9", noProxies)).toBe("192.0.2.1");
    expect(clientAddress("::ffff:192.0.2.1", undefined, noProxies)).toBe("192.0.2.1");
  });

  it("is the socket's peer if the peer isn't a trusted proxy", () => {
    expect(clientAddress("192.0.2.1", "203.0.113.9", proxies)).toBe("192.0.2.1");
  });

  it("is the address that the outermost trusted proxy saw, never an address that the caller wrote", () => {
    expect(clientAddress("10.0.0.1", "203.0.113.9", proxies)).toBe("203.0.113.9");
    expect(clientAddress("10.0.0.1", "127.0.0.1, 203.0.113.9, 10.2.3.4", proxies)).toBe("203.0.113.9");
    expect(clientAddress("::1", "10.9.9.9,203.0.113.9", proxies)).toBe("203.0.113.9");
  });

  it("is the proxy's own address if the proxy names no caller", () => {
    expect(clientAddress("10.0.0.1", undefined, proxies)).toBe("10.0.0.1");
    expect(clientAddress("10.0.0.1", "unknown", proxies)).toBe("10.0.0.1");
    expect(clientAddress("10.0.0.1", "203.0.113.9, _hidden, 10.0.0.2", proxies)).toBe("10.0.0.2");
    expect(clientAddress("10.0.0.1", "", proxies)).toBe("10.0.0.1");
  });

  it("is also read from an item with a port", () => {
    expect(clientAddress("10.0.0.1", "203.0.113.9:4711", proxies)).toBe("203.0.113.9");
    expect(clientAddress("10.0.0.1", "[2001:db8::1]:4711", proxies)).toBe("2001:db8::1");
    expect(clientAddress("10.0.0.1", "2001:db8::1", proxies)).toBe("2001:db8::1");
  });
});
