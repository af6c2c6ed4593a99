import { escapeForTarget, escapeOctet, headerOf, type Mutation } from "../http-message.ts";
import { nastyText } from "../nasty.ts";

const methods = "GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND REPORT QUERY SEARCH MKCOL PURGE LINK".split(" ");

export const changeMethod: Mutation = (message, random) => ({ ...message, method: random.pick(methods) });

export const changeTarget: Mutation = (message, random) => {
  const { target } = message;
  const [path = "", query = ""] = target.split("?");
  const segments = path.split("/");
  const at = 1 + random.below(segments.length - 1);
  const nasty = escapeForTarget(nastyText(random));
  const targets = [
    () => `${path}/`,
    () => `${path}//`,
    () => `/${path}`,
    () => path.replace("/", "\\"),
    () => path.toUpperCase(),
    () => `/./up/..${path}`,
    () => `${path}/%2e%2e`,
    () => `${path};a=b`,
    () => `${path}%`,
    () => `${path}%zz`,
    () => `${path}%00`,
    () => [...segments.slice(0, at), nasty, ...segments.slice(at + 1)].join("/"),
    () => [...segments.slice(0, at), encodeURIComponent("../../".repeat(5)), ...segments.slice(at)].join("/"),
    () =>
      [...path]
        .map((character, place) => (place > 0 && random.chance(20) ? escapeOctet(character) : character))
        .join(""),
    () => `${path}${"/a".repeat(2_000)}`,
    () => `${path}?${query}&${nasty}=${nasty}`,
    () => `${path}?${query}&${query}`,
    () => `${path}?${random.pick(["client_assertion", "client_secret", "access_token", "limit", "state"])}=${nasty}`,
    () => `${path}?${"a".repeat(20_000)}`,
    () => `${path}?${"&a=".repeat(3_000)}`,
    () => `${path}?%zz=%&=&&%00`,
    () => `${target}#fragment`,
    () => `http://other.example${target}`,
    () => `http://${headerOf(message, "host")}${target}`,
    () =>
      random.pick(["*", "/", "/%", "//", "/..", "/favicon.ico", "/_next/x", "/api/trpc/wallet.x", "http://", "a:b"]),
  ];
  return { ...message, target: random.pick(targets)() };
};
