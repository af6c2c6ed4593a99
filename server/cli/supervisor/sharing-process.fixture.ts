import net from "node:net";

/** Takes connections on a port that it shares, and says nothing on them. */
net.createServer(() => {}).listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.("ready"));
