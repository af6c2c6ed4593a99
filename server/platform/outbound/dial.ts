import net from "node:net";
import tls from "node:tls";

type DialTarget = {
  /** an IP address, so that no name is looked up */
  address: string;
  port: number;
  /** the name for the certificate and SNI; null: no TLS */
  tlsName: string | null;
};

/** @returns a connected socket. @throws Error if the connection fails, or the certificate is for another name. */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<net.Socket>;

export const dialAddress: Dial = ({ address, port, tlsName }, signal) =>
  new Promise((resolve, reject) => {
    const host = { host: address, port };
    const socket =
      tlsName === null
        ? net.connect(host)
        : tls.connect({
            ...host,
            // SNI contains names only (RFC 6066 §3); an address is still compared with the certificate.
            ...(net.isIP(tlsName) ? {} : { servername: tlsName }),
            ALPNProtocols: ["http/1.1"],
            minVersion: "TLSv1.2",
          });
    const abort = () => socket.destroy(new Error("no connection in time"));
    const settle = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    socket.on("error", (error) => {
      settle();
      reject(error);
    });
    socket.once(tlsName === null ? "connect" : "secureConnect", () => {
      settle();
      resolve(socket);
    });
  });
