import type { ChildProcess } from "node:child_process";

/** What `node:cluster` says to its processes, as far as connections are concerned. */
type Message = { act?: string; seq?: number; ack?: number } | null;
type Connection = { close(): void };

const readingMilliseconds = 10;

/**
 * Closes the connections that a process of `node:cluster` was offered and had not taken when it died. Node forgets them and
 * leaves them open (round_robin_handle.js waits for a reply alone), so that their clients would wait for an answer for ever;
 * so they are told, as they are where a process dies with a connection that it took.
 */
export const closeUntaken = (child: ChildProcess): void => {
  const offered = new Map<number, Connection>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, connection?: unknown, ...rest: unknown[]): boolean => {
    const { act, seq } = (message ?? {}) as NonNullable<Message>;
    if (act === "newconn" && seq !== undefined) offered.set(seq, connection as Connection);
    return send(message, connection, ...rest);
  };
  child.on("internalMessage", (message: Message) => {
    if (message?.ack !== undefined) offered.delete(message.ack);
  });
  const close = () => {
    // Replies that it sent before it died are read first. No event tells: Node owes `disconnect` where a connection is on its way.
    if (child.connected) return void setTimeout(close, readingMilliseconds);
    for (const connection of offered.values()) connection.close();
    offered.clear();
  };
  child.once("exit", close);
};
