/** One HTTP/1.1 answer, parsed from its octets. */
export type WireAnswer = { status: number; headers: Headers; body: Buffer };

type Read = { answer: WireAnswer; rest: Buffer };

/** @returns the answer at the beginning of `bytes` and the rest; null while it is incomplete. */
export const readAnswer = (bytes: Buffer, method: string, isClosed: boolean): Read | null => {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new Error(`not an HTTP/1.1 answer: ${statusLine.slice(0, 100)}`);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return readAnswer(rest, method, isClosed);
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const framed = readBody(rest, { status, headers, method, isClosed });
  if (framed === null) return null;
  return { answer: { status, headers, body: framed.body }, rest: rest.subarray(framed.length) };
};

type Framed = { body: Buffer; length: number };

/** RFC 9112 §6.3. */
const readBody = (
  bytes: Buffer,
  { status, headers, method, isClosed }: { status: number; headers: Headers; method: string; isClosed: boolean },
): Framed | null => {
  if (method === "HEAD" || status === 204 || status === 304) return { body: Buffer.alloc(0), length: 0 };
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes);
  const announced = headers.get("content-length");
  const length = announced === null ? bytes.length : Number(announced);
  const isWhole = announced === null ? isClosed : bytes.length >= length;
  return isWhole ? { body: bytes.subarray(0, length), length } : null;
};

/** RFC 9112 §7.1. */
const readChunks = (bytes: Buffer): Framed | null => {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(parts), length: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
};
