import net from "node:net";

/** Accepts connections on a shared port, and answers each with this process's id. */
net
  .createServer((socket) => socket.end(String(process.pid)))
  .listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.("ready"));
