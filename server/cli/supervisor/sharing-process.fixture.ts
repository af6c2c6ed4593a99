import net from "node:net";

/** Takes connections on a port that it shares, and tells on each which process this is. */
net
  .createServer((socket) => socket.end(String(process.pid)))
  .listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.("ready"));
