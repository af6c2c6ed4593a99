import net, { type AddressInfo } from "node:net";

export type Failure = {
  code: string;
  message: string;
  /** FATAL: the server also closes the connection */
  severity: "ERROR" | "FATAL";
  /** the statements that fail; the others succeed */
  at: RegExp;
};

const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.from(`${value}\0`);

/** AuthenticationOk, BackendKeyData, ReadyForQuery. */
const greeting = Buffer.concat([message("R", int(0)), message("K", int(1), int(2)), message("Z", Buffer.from("I"))]);

/** Implements only the part of PostgreSQL's protocol that accepts connections and answers statements with an error. */
export const startFailingServer = async ({ code, message: why, severity, at }: Failure) => {
  const sockets = new Set<net.Socket>();
  const error = message(
    "E",
    text(`S${severity}`),
    text(`V${severity}`),
    text(`C${code}`),
    text(`M${why}`),
    Buffer.of(0),
  );
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    let hasStarted = false;
    let statement = "";
    const reply = () => {
      const ready = message("Z", Buffer.from(/^(BEGIN|SELECT)/.test(statement) ? "T" : "I"));
      if (!at.test(statement)) socket.write(Buffer.concat([message("C", text(statement.split(" ")[0] ?? "")), ready]));
      else if (severity === "FATAL") socket.end(error);
      else socket.write(Buffer.concat([error, ready]));
    };
    const take = (size: number): Buffer => {
      const taken = received.subarray(0, size);
      received = received.subarray(size);
      return taken;
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (!hasStarted && received.length >= 4 && received.length >= received.readInt32BE(0)) {
        take(received.readInt32BE(0));
        hasStarted = true;
        socket.write(greeting);
      }
      while (hasStarted && received.length >= 5 && received.length > received.readInt32BE(1)) {
        const next = take(received.readInt32BE(1) + 1);
        const kind = String.fromCharCode(next[0] ?? 0);
        // The text of Query follows its length, and the text of Parse follows the statement's name.
        const texts = next.subarray(5).toString().split("\0");
        if (kind === "Q" || kind === "P") statement = texts[kind === "Q" ? 0 : 1] ?? "";
        if (kind === "Q" || kind === "S") reply();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `postgresql://anyone@127.0.0.1:${(server.address() as AddressInfo).port}/any`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
