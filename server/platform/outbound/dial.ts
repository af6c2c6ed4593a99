import net from "node:net";
import tls from "node:tls";

type DialTarget = {
  /** an IP address: no name is looked up on the way to it */
  address: string;
  port: number;
  /** what the certificate must be for, and SNI says; null: no TLS */
  tlsName: string | null;
};

/** @returns a connected socket. @throws Error where nobody answers there, or with a certificate for another name. */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<net.Socket>;

export const dialAddress: Dial = ({ address, port, tlsName }, signal) =>
  new Promise((resolve, reject) => {
    const host = { host: address, port };
    const socket =
      tlsName === null
        ? net.connect(host)
        : tls.connect({
            ...host,
            // SNI holds names alone (RFC 6066 §3); an address is compared with the certificate all the same.
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
