const unreserved = /[\w.~-]/;

/** Escaped characters that need no escape, as themselves: they mean the same (RFC 3986 §6.2.2.2). */
export const decodeUnreserved = (path: string): string =>
  path.replace(/%[2-7][\da-f]/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return unreserved.test(character) ? character : octet;
  });
