import { SaxesParser } from "saxes";

export type XmlElement = {
  /** the name with its namespace in braces (Clark notation); without a namespace, only the local name */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** without the text of its children */
  text: string;
};

type Open = XmlElement & { children: XmlElement[] };
const clark = (uri: string, local: string): string => (uri === "" ? local : `{${uri}}${local}`);

/** @throws Error when the document isn't well-formed (XML 1.0) or a prefix isn't bound (Namespaces in XML). */
export const parseXml = (document: string): XmlElement => {
  const root: Open = { name: "", attributes: {}, children: [], text: "" };
  const open: Open[] = [root];
  const last = () => open.at(-1) ?? root;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("a document type declaration, which is unsafe for readers");
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    const named = Object.values(attributes).map((one) => [clark(one.uri, one.local), one.value] as const);
    const element: Open = { name: clark(uri, local), attributes: Object.fromEntries(named), children: [], text: "" };
    last().children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", (text) => {
    last().text += text;
  });
  parser.write(document).close();
  const [element] = root.children;
  if (!element) throw new Error("no element");
  return element;
};

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);
