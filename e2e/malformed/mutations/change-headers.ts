import { latin1, type Mutation, withHeader } from "../http-message.ts";
import { nastyText } from "../nasty.ts";

/** Replaces the characters that a header's value can't contain. The byte mutations send these characters. */
const asValue = (text: string): string => latin1(text).replace(/[\r\n\0]/g, " ");

const unusualHeaders: readonly (readonly [string, string])[] = [
  ["expect", "100-continue"],
  ["expect", "the unexpected"],
  ["connection", "close"],
  ["connection", "upgrade"],
  ["upgrade", "websocket"],
  ["upgrade", "h2c"],
  ["http2-settings", "AAMAAABkAARAAAAAAAIAAAAA"],
  ["content-encoding", "gzip"],
  ["content-encoding", "br, deflate"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", "application/x-www-form-urlencoded; charset=iso-8859-1"],
  ["content-type", "APPLICATION/JSON"],
  ["content-type", "text/plain"],
  ["content-type", "multipart/form-data"],
  ["content-type", ";"],
  ["content-type", "application/json, application/json"],
  ["range", "bytes=0-1"],
  ["if-none-match", "*"],
  ["if-none-match", '"x"'],
  ["if-modified-since", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["accept", "text/html"],
  ["accept", "application/token-introspection+jwt"],
  ["accept", "*/*;q=0"],
  ["accept", `${"a/b,".repeat(2_000)}`],
  ["accept-encoding", "gzip;q=nonsense, zstd"],
  ["accept-language", "x-klingon;q=2"],
  ["x-forwarded-for", "127.0.0.1, 203.0.113.9"],
  ["x-forwarded-for", "'"],
  ["x-forwarded-host", "evil.example"],
  ["x-forwarded-proto", "gopher"],
  ["x-paygrant-client-address", "203.0.113.9"],
  ["x-http-method-override", "DELETE"],
  ["x-request-id", "req_mine"],
  ["x-middleware-subrequest", "middleware:middleware:middleware"],
  ["next-action", "x"],
  ["rsc", "1"],
  ["sec-fetch-site", "cross-site"],
  ["origin", "null"],
  ["referer", "https://evil.example/"],
  ["authorization", "Basic Og=="],
  ["authorization", "Bearer "],
  ["authorization", "Negotiate"],
  ["dpop", "x"],
  ["dpop", "e30.e30.e30"],
  ["cookie", "=; ;; a"],
  ["cookie", `__Host-pg_test=${"s".repeat(43)}`],
  ["idempotency-key", "é".repeat(10)],
  ["idempotency-key", "k".repeat(300)],
  ["host", "evil.example"],
  ["host", "a b"],
  ["host", "[::1"],
  ["host", ""],
  ["host", "localhost:99999"],
  ["host", "user@localhost"],
  ["host", "ü.example"],
  ["content-length-x", "1"],
  ["date", "yesterday"],
  ["te", "trailers"],
  ["trailer", "content-length"],
  ["via", "1.1 a, 1.1 b"],
  ["max-forwards", "-1"],
];

export const changeHeaders: Mutation = (message, random) => {
  const at = random.below(message.headers.length);
  const [name, value] = message.headers[at] ?? ["host", ""];
  const without = message.headers.filter((_, index) => index !== at);
  switch (random.below(8)) {
    case 0:
      return { ...message, headers: without };
    case 1:
      return { ...message, headers: [...message.headers, [name, value]] };
    case 2:
      return { ...message, headers: [...message.headers, [name.toUpperCase(), asValue(nastyText(random))]] };
    case 3:
      return { ...message, headers: [...without, [name, asValue(nastyText(random))]] };
    case 4: {
      const many = Array.from({ length: random.below(300) }, (_, index): [string, string] => [`x-${index}`, "y"]);
      return { ...message, headers: [...message.headers, ...many] };
    }
    case 5:
      return { ...message, headers: [...message.headers, ["x-long", "x".repeat(random.below(60_000))]] };
    case 6: {
      const [odd, given] = random.pick(unusualHeaders);
      return { ...message, headers: [...message.headers, [odd, asValue(given)]] };
    }
    default: {
      const [odd, given] = random.pick(unusualHeaders);
      return withHeader(message, odd, asValue(given));
    }
  }
};
