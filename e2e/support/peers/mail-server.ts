import net, { type AddressInfo, type Socket } from "node:net";

type ReceivedMail = { from: string; to: string[]; message: string; messageId: string; user: string | null };

/** The server's behaviour after one command: a reply line, nothing, or closing the connection. */
type Behaviour = (
  command: "CONNECT" | "AUTH" | "RCPT" | "DATA" | "BODY",
  line: string,
) => string | "silence" | "close" | null;

/** An SMTP server (RFC 5321) that keeps accepted messages. A test sets its behaviour. */
export type MailServer = {
  url: string;
  received: ReceivedMail[];
  /** the first octets of each connection as the client sent them */
  openings: string[];
  /** sets the behaviour; if it returns null, the server sends the usual reply */
  behave(behaviour: Behaviour): void;
  close(): void;
};

const usual: Behaviour = () => null;

export const startMailServer = async (): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  const openings: string[] = [];
  const sockets = new Set<Socket>();
  let behaviour = usual;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    socket.setEncoding("latin1").once("data", (chunk: string) => openings.push(chunk));
    converse(socket, (command, line) => behaviour(command, line), received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    openings,
    behave(next) {
      behaviour = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

const converse = (socket: Socket, behaviour: Behaviour, received: ReceivedMail[]): void => {
  let [from, to, user]: [string, string[], string | null] = ["", [], null];
  let body: string[] | null = null;
  let rest = "";

  const write = (line: string): void => void socket.write(`${line}\r\n`);

  /** @returns whether the usual reply was sent. */
  const reply = (command: Parameters<Behaviour>[0], line: string, usualAnswer: string): boolean => {
    const answer = behaviour(command, line) ?? usualAnswer;
    if (answer === "close") socket.destroy();
    else if (answer !== "silence") write(answer);
    return answer === usualAnswer;
  };

  const acceptMessage = (lines: string[]): void => {
    const message = lines.map((line) => (line.startsWith(".") ? line.slice(1) : line)).join("\n");
    const messageId = /^Message-ID: (.+)$/im.exec(message)?.[1] ?? "";
    received.push({ from, to, message, messageId, user });
    reply("BODY", message, "250 taken");
  };

  const handleLine = (line: string): void => {
    if (body !== null) {
      if (line === ".") {
        acceptMessage(body);
        body = null;
      } else body.push(line);
      return;
    }
    const [, address = ""] = /<(.*?)>/.exec(line) ?? [];
    if (/^EHLO/i.test(line)) write("250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME");
    else if (/^AUTH PLAIN /i.test(line)) {
      user = Buffer.from(line.slice(11), "base64").toString().split("\0")[1] ?? "";
      reply("AUTH", line, "235 welcome");
    } else if (/^MAIL FROM:/i.test(line)) {
      [from, to] = [address, []];
      write("250 ok");
    } else if (/^RCPT TO:/i.test(line)) {
      if (reply("RCPT", line, "250 ok")) to.push(address);
    } else if (/^DATA/i.test(line)) {
      if (reply("DATA", line, "354 go on")) body = [];
    } else write(/^QUIT/i.test(line) ? "221 bye" : "502 unknown");
  };

  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) handleLine(line);
  });
  reply("CONNECT", "", "220 test ESMTP");
};
