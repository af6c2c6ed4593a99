import { createServer } from "node:http";

// A webhook endpoint that accepts everything. It is a process of its own, so that its CPU time isn't the service's.
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(204).end());
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.("ready"));
process.on("SIGTERM", () => process.exit(0));
