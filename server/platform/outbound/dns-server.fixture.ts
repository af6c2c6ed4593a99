import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

/** The TXT records of each name; each record is a list of strings. */
type TxtZone = Map<string, readonly (readonly string[])[]>;

/** A name server on loopback, over UDP, for TXT records only (RFC 1035). It doesn't answer while `isSilent`. */
export type DnsServer = { address: string; zone: TxtZone; isSilent: boolean; requested: string[]; close(): void };

const txt = 16;

const readName = (message: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
};

const record = (strings: readonly string[]): Buffer => {
  const data = Buffer.concat(strings.map((one) => Buffer.concat([Buffer.from([one.length]), Buffer.from(one)])));
  // The name of the question, type TXT, class IN, 60 seconds to live.
  const head = Buffer.from([0xc0, 12, 0, txt, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]);
  return Buffer.concat([head, data]);
};

const answerTo = (message: Buffer, zone: TxtZone): { name: string; answer: Buffer } => {
  const { name, end } = readName(message);
  const known = zone.get(name);
  const records = message.readUInt16BE(end) === txt ? (known ?? []) : [];
  const head = Buffer.alloc(12);
  head.writeUInt16BE(message.readUInt16BE(0), 0);
  // Flags: a response, recursion desired and available. NXDOMAIN for a name without records.
  head.writeUInt16BE(0x8180 | (known ? 0 : 3), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return { name, answer: Buffer.concat([head, message.subarray(12, end + 4), ...records.map(record)]) };
};

export const startDnsServer = async (): Promise<DnsServer> => {
  const socket = createSocket("udp4");
  const server: DnsServer = {
    address: "",
    zone: new Map(),
    isSilent: false,
    requested: [],
    close: () => socket.close(),
  };
  socket.on("message", (message: Buffer, from: RemoteInfo) => {
    const { name, answer } = answerTo(message, server.zone);
    server.requested.push(name);
    if (!server.isSilent) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
};
