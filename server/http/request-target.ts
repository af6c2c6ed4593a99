import type { IncomingMessage } from "node:http";
import { decodeUnreserved } from "../kernel/text/uri.ts";

const dotSegment = /\/\.{1,2}(?:\/|$)/;

/** Normalizes a path: unreserved characters aren't encoded, and dot segments are removed (RFC 3986 §6.2.2). */
export const normalizeTarget = (target: string): string => {
  const [origin = "", host = ""] = absolute.exec(target) ?? [];
  return normalizeOrigin(uriHost.test(host) ? afterAuthority(target, origin) : target);
};

/** The path of an absolute-form target: every host gets the same answer (RFC 9112 §3.2.2). */
const absolute = /^https?:\/\/([^/?#]+)/i;

const afterAuthority = (target: string, origin: string): string => {
  const rest = target.slice(origin.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
};

const normalizeOrigin = (target: string): string => {
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  if (!path.startsWith("/") || !(path.includes("%") || dotSegment.test(path))) return target;
  return removeDotSegments(decodeUnreserved(path)) + target.slice(path.length);
};

/** RFC 3986 §5.2.4, for a path that begins with a slash. */
const removeDotSegments = (path: string): string => {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  // A dot segment at the end names a directory, so the path ends with a slash.
  if (/^\.{1,2}$/.test(segments.at(-1) ?? "")) kept.push("");
  return `/${kept.join("/")}`;
};

/** @returns null for a request target that isn't a path (RFC 9112 §3.2). */
export const pathOf = (target: string): string | null =>
  target.startsWith("/") && !target.startsWith("//") ? (target.split(/[?#]/, 1)[0] ?? null) : null;

/** RFC 9110 §7.2. */
const uriHost = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** There is exactly one Host header, and it is valid (RFC 9112 §3.2). */
export const hasHost = ({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): boolean => {
  if (!uriHost.test(headers.host ?? "")) return false;
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") found += 1;
  }
  return found === 1;
};

/** RFC 3986 §2.1, with octets that are UTF-8. */
export const isDecodable = (pathname: string): boolean => {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
};
