/** Invalid or too large values of Content-Length (RFC 9112 §6.2). */
export const lengths: readonly string[] = [
  "-1",
  "+5",
  "abc",
  "1e3",
  "0x10",
  "",
  "5, 5",
  "5,6",
  " 7",
  "99999999999999999999",
  "1000000",
  "1.0",
];

/** Values of Transfer-Encoding: RFC 9112 §6.1. */
export const codings: readonly string[] = [
  "chunked",
  "xchunked",
  "identity",
  "chunked, identity",
  "gzip, chunked",
  "chunked\t",
  "\x0bchunked",
];

/** Bodies with almost correct chunked encoding (RFC 9112 §7.1). */
export const badChunks: readonly string[] = [
  "zz\r\nabc\r\n0\r\n\r\n",
  "-1\r\nabc\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nabc",
  "5\r\nabc\r\n0\r\n\r\n",
  "3\r\nabc\r\n",
  "3\nabc\n0\n\n",
  "3\r\nabcdef\r\n0\r\n\r\n",
  "0\r\ncontent-length: 9\r\n\r\n",
  "3;a=b\r\nabc\r\n0\r\n\r\n",
  `3;${"x".repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
  "0x3\r\nabc\r\n0\r\n\r\n",
  " 3\r\nabc\r\n0\r\n\r\n",
  "3\r\nabc0\r\n\r\n",
];

export const versions: readonly string[] = [
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/9.9",
  "http/1.1",
  "HTTP/1.1.1",
  "HTTP/1",
  "ICY/1.1",
  "",
];

/** Texts that replace a header line (RFC 9112 §5). */
export const lines: readonly string[] = [
  "no colon",
  ": no name",
  "space before : colon",
  " folded: line",
  "\tfolded",
  "x:\r\n\r\ny: z",
  "x\0: y",
  "x: \0",
  "é: ü",
  "x: \x01\x02\x7f",
  "x: a\rb",
  "x(y): z",
  "x: a\nb: c",
  "host: other.example",
  "transfer-encoding: chunked",
];

/** Octets before the start line, including the beginnings of TLS and of HTTP/2. */
export const preambles: readonly string[] = [
  "\r\n\r\n",
  "\n",
  " ",
  "\0",
  "\t",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

/** Octets after a complete request. */
export const behind: readonly string[] = [
  "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
  "garbage",
  "\r\n",
  "\0\0\0",
  "POST / HTTP/1.1\r\n",
  "GET",
];
