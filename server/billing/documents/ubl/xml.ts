export type XmlElement = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: string | readonly XmlElement[];
};

type Content = string | readonly (XmlElement | null)[];

/** An element with text or children; null children are omitted. */
export const ublElement = (name: string, content: Content, attributes: XmlElement["attributes"] = {}): XmlElement => ({
  name,
  attributes,
  content: typeof content === "string" ? content : content.filter((child) => child !== null),
});

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 §2.2: control characters aren't allowed, not even as character references. */
const escapeXml = (text: string): string =>
  [...text]
    .filter((character) => /[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(character))
    .join("")
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");

const write = ({ name, attributes, content }: XmlElement, indent: string): string => {
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(" ");
  if (typeof content === "string") return `${indent}<${head}>${escapeXml(content)}</${name}>\n`;
  return `${indent}<${head}>\n${content.map((child) => write(child, `${indent}  `)).join("")}${indent}</${name}>\n`;
};

export const toXml = (root: XmlElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, "")}`;
