import type { Message, SerializedRequest } from "../http-message.ts";
import { write, writeChunked } from "../http-message.ts";
import { badChunks, behind, codings, lengths, lines, preambles, versions } from "../nasty-octets.ts";
import type { Random } from "../random.ts";

type Spoil = (written: SerializedRequest, random: Random) => { head: string; body: Buffer };

const replaceLength = (head: string, line: string): string =>
  /\r\n(content-length|transfer-encoding):[^\r]*/.test(head)
    ? head.replace(/\r\n(content-length|transfer-encoding):[^\r]*/, () => line && `\r\n${line}`)
    : head.replace("\r\n", () => `${line && `\r\n${line}`}\r\n`);

const spoils: readonly Spoil[] = [
  ({ head, body }, random) => ({ head: replaceLength(head, `content-length: ${random.pick(lengths)}`), body }),
  ({ head, body }, random) => ({
    head: replaceLength(head, `content-length: ${body.length + random.pick([1, 100, 60_000, -1])}`),
    body,
  }),
  ({ head, body }, random) => ({
    head: replaceLength(head, `content-length: ${body.length}\r\ncontent-length: ${random.pick(lengths)}`),
    body,
  }),
  ({ head, body }, random) => ({
    head: replaceLength(head, `content-length: ${body.length}\r\ntransfer-encoding: ${random.pick(codings)}`),
    body,
  }),
  ({ head }, random) => ({
    head: replaceLength(head, `transfer-encoding: ${random.pick(codings)}`),
    body: Buffer.from(random.pick(badChunks), "latin1"),
  }),
  ({ head }, random) => ({
    head: replaceLength(head, "transfer-encoding: chunked"),
    body: Buffer.from(random.pick(badChunks), "latin1"),
  }),
  ({ head, body }) => ({ head: replaceLength(head, ""), body }),
  ({ head, body }, random) => ({ head: head.replace("HTTP/1.1", () => random.pick(versions)), body }),
  ({ head, body }, random) => ({
    head: head.replace(/ /g, () => random.pick([" ", "  ", "\t", "\x0b", "", " "])),
    body,
  }),
  ({ head, body }, random) => ({ head: head.replace("\r\n", () => `\r\n${random.pick(lines)}\r\n`), body }),
  ({ head, body }) => ({ head: head.replace(/\r\nhost:[^\r]*/, ""), body }),
  ({ head, body }, random) => ({ head: random.pick(preambles) + head, body }),
  ({ head, body }) => ({ head: head.replaceAll("\r\n", "\n"), body }),
  ({ head, body }) => ({ head: head.replaceAll("\r\n", "\r"), body }),
  ({ head }, random) => ({ head: head.slice(0, random.below(head.length)), body: Buffer.alloc(0) }),
  ({ head, body }, random) => ({ head, body: body.subarray(0, random.below(body.length + 1)) }),
  ({ head, body }, random) => ({ head, body: Buffer.concat([body, Buffer.from(random.pick(behind), "latin1")]) }),
  ({ head, body }, random) => {
    const at = random.below(head.length);
    return { head: `${head.slice(0, at)}${String.fromCharCode(random.below(256))}${head.slice(at + 1)}`, body };
  },
  (_, random) => ({ head: random.bytes(random.below(300)).toString("latin1"), body: Buffer.alloc(0) }),
  ({ head, body }) => ({ head: head.replace("\r\n", () => `\r\nx-long: ${"x".repeat(60_000)}\r\n`), body }),
  ({ head, body }) => ({ head: head.replace("\r\n", () => `\r\n${"a: b\r\n".repeat(3_000)}`), body }),
];

/** Octets that no client library would send. */
export const spoilBytes = (message: Message, random: Random): SerializedRequest => {
  const spoiled = random.pick(spoils)(write(message), random);
  return { ...spoiled, isWhole: false };
};

/** RFC 9110 §5.5: a field's value contains none of these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must match control characters
const controls = /[\x00-\x08\x0a-\x1f\x7f]/;

/** A complete body, with Content-Length or in chunks of random sizes. */
export const writeInOrder = (message: Message, random: Random): SerializedRequest => {
  const isSendable =
    /^[\x21-\x7e]+$/.test(message.target) && message.headers.every(([, value]) => !controls.test(value));
  const hasBody = message.body.length > 0;
  const sizes = Array.from({ length: random.below(4) }, () => 1 + random.below(message.body.length + 1));
  const written = hasBody && random.chance(15) ? writeChunked(message, sizes) : write(message);
  return { ...written, isWhole: isSendable };
};

/** The octets, split into the pieces that are sent one by one. */
export const cut = ({ head, body }: SerializedRequest, random: Random): Buffer[] => {
  const whole = Buffer.concat([Buffer.from(head, "latin1"), body]);
  if (!random.chance(8)) return [whole];
  const places = Array.from({ length: 1 + random.below(4) }, () => random.below(whole.length + 1)).sort(
    (a, b) => a - b,
  );
  return [0, ...places].map((from, index) => whole.subarray(from, places[index] ?? whole.length));
};
