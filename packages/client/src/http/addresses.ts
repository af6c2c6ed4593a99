import { RequestError } from "../errors/errors.ts";

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);

/** https; http only on loopback, for a service on the same machine. */
const isAllowed = (url: URL): boolean => url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

/** @throws TypeError if the caller's address isn't https, or http on loopback. */
export const assertAddress = (address: string, name: string): void => {
  if (!URL.canParse(address) || !isAllowed(new URL(address))) {
    throw new TypeError(`${name} must be an https address, or http on loopback`);
  }
};

/** @throws RequestError invalid_response if an address that the server names isn't https, or http on loopback. */
export const assertServerAddress = (address: string, name: string): string => {
  if (URL.canParse(address) && isAllowed(new URL(address))) return address;
  throw new RequestError("invalid_response", `${name} of the server isn't an https address.`);
};
