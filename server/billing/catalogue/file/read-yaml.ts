import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from "yaml";

type Position = { line: number; column: number };

/** `pointer`: the JSON pointer (RFC 6901) of the value; empty for the whole file. */
export type FileProblem = Position & { pointer: string; message: string };

/** A YAML file as plain values. */
export type YamlFile = {
  value: unknown;
  problems: readonly FileProblem[];
  /**
   * The position of a value. For a missing value, the position of the innermost existing value around it.
   * @param part `key`: the position of the value's key, if it has one
   */
  positionOf(pointer: string, part: "key" | "value"): Position;
};

/** Limits the size of a catalogue, so that a wrong file is refused before it is parsed. */
const maxCharacters = 1024 * 1024;
const maxDepth = 32;
const maxNodes = 100_000;

/** Replacements for the unclear messages of the parser. */
const texts: Readonly<Partial<Record<ErrorCode, string>>> = {
  DUPLICATE_KEY: "duplicate key",
  MULTIPLE_DOCS: "the file must be one YAML document",
};

const start: Position = { line: 1, column: 1 };

const invalid = (message: string): YamlFile => ({
  value: null,
  problems: [{ ...start, pointer: "", message }],
  positionOf: () => start,
});

/** Reads one document of YAML 1.2 (core schema). All syntax errors are returned, each with its position. */
export const readYaml = (text: string): YamlFile => {
  if (text.length > maxCharacters) return invalid(`the file must have at most ${maxCharacters} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: "core", prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    ...positionAt(pos[0]),
    pointer: "",
    message: texts[code] ?? message.split("\n", 1)[0] ?? "",
  }));
  // Under YAML 1.1, `NO` is false and `010` is 8.
  if (document.directives?.yaml.version === "1.1")
    problems.push({ ...start, pointer: "", message: "must be YAML 1.2: remove the directive %YAML 1.1" });
  // After a duplicate key, the values are still checked.
  if (document.warnings.length > 0 || document.errors.some(({ code }) => code !== "DUPLICATE_KEY"))
    return { ...invalid(""), problems };
  const file = new Converter(document, positionAt).convert();
  return { ...file, problems: [...problems, ...file.problems] };
};

/**
 * The target of each alias: the last node before it with this anchor. `Alias.resolve` would search the whole document.
 */
const targetsOf = (document: Document): ReadonlyMap<Alias, Node> => {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias(_, alias) {
      const target = anchors.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value(_, node) {
      if (node.anchor) anchors.set(node.anchor, node);
    },
  });
  return targets;
};

type Place = { key: Position | null; value: Position };

/** Converts nodes to plain values, and records their positions by pointer. */
class Converter {
  readonly #document: Document;
  readonly #positionAt: (offset: number) => Position;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #places = new Map<string, Place>();
  readonly #problems: FileProblem[] = [];
  #nodes = 0;

  constructor(document: Document, positionAt: (offset: number) => Position) {
    this.#document = document;
    this.#targets = targetsOf(document);
    this.#positionAt = positionAt;
  }

  convert(): YamlFile {
    const value = this.#toValue(this.#document.contents, "", 0);
    return {
      value,
      problems: this.#problems,
      positionOf: (pointer, part) => this.#find(pointer, part),
    };
  }

  #find(pointer: string, part: "key" | "value"): Position {
    const place = this.#places.get(pointer);
    if (place) return (part === "key" ? place.key : null) ?? place.value;
    return pointer === "" ? start : this.#find(pointer.slice(0, pointer.lastIndexOf("/")), "key");
  }

  #refuse(node: Node | null, pointer: string, message: string): null {
    this.#problems.push({ ...this.#positionAt(node?.range?.[0] ?? 0), pointer, message });
    return null;
  }

  #toValue(node: Node | null, pointer: string, depth: number): unknown {
    this.#nodes += 1;
    // An alias may contain itself, or multiply the size of the file with each level.
    if (this.#nodes > maxNodes) {
      return this.#nodes === maxNodes + 1 ? this.#refuse(node, pointer, `has more than ${maxNodes} values`) : null;
    }
    if (depth > maxDepth) return this.#refuse(node, pointer, `is nested deeper than ${maxDepth} levels`);
    if (!this.#places.has(pointer)) this.#place(pointer, null, node);
    if (isAlias(node)) {
      const target = this.#targets.get(node);
      return target ? this.#toValue(target, pointer, depth + 1) : this.#refuse(node, pointer, "is an unknown alias");
    }
    if (isMap(node)) return this.#toObject(node.items as Pair<Node, Node | null>[], pointer, depth);
    if (isSeq(node))
      return node.items.map((item, index) => this.#toValue(item as Node, `${pointer}/${index}`, depth + 1));
    return isScalar(node) ? toPlainScalar(node) : null;
  }

  #toObject(pairs: readonly Pair<Node, Node | null>[], pointer: string, depth: number): object {
    const object = {};
    for (const { key, value } of pairs) {
      if (!isScalar(key) || typeof key.value !== "string") {
        this.#refuse(key, pointer, "a key must be text: put it in quotes");
        continue;
      }
      const at = `${pointer}/${key.value.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      this.#place(at, key, value ?? key);
      // An assignment to `__proto__` would set the prototype instead of a member.
      const member = { value: this.#toValue(value, at, depth + 1), enumerable: true, configurable: true };
      Object.defineProperty(object, key.value, member);
    }
    return object;
  }

  #place(pointer: string, key: Node | null, value: Node | null): void {
    const at = (node: Node | null) => this.#positionAt(node?.range?.[0] ?? 0);
    this.#places.set(pointer, { key: key && at(key), value: at(value) });
  }
}

const toPlainScalar = ({ value, source = String(value) }: { value: unknown; source?: string }): unknown =>
  // As in our JSON bodies, an integer has no fraction and no exponent. A double would round `4999.9999999999999999`.
  typeof value === "number" && !/^-?(0|[1-9]\d*)$/.test(source) ? Number.NaN : value;
