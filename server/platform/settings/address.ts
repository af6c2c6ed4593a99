import { z } from "zod";

/** An issuer has no query or fragment (RFC 8414 §2), and paths are appended to each of these addresses. */
const isAddress = (text: string): boolean => /^https?:\/\/[\w.~:/[\]%!$&'()*+,;=-]+$/i.test(text) && URL.canParse(text);

/** An http or https address, without the slashes at its end. */
export const address = z
  .string()
  .refine(isAddress, "must be an http or https address without query, fragment or user name")
  .transform((text) => text.replace(/\/+$/, ""));

/** Clients insert the well-known path before the path of an issuer (RFC 8414 §3.1), and ours are at the root. */
export const issuer = address.refine((text) => /^https?:\/\/[^/]+$/i.test(text), "must not have a path");
