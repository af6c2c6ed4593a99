import type { SqlValue } from "./client.ts";

/** One parameter of a statement: its name, its value, and its type unless that is text. */
export type Parameter<Input> = readonly [name: string, read: (input: Input) => SqlValue, type?: string];

/**
 * Numbers parameters in the order of their list, so that names, placeholders and values always match. The text is built
 * once, when the module is loaded.
 * @param first the number of the first parameter: other lists of the same statement may precede this list.
 */
export const numberParameters = <Input>(parameters: readonly Parameter<Input>[], first = 1) => {
  const placeholders = new Map(
    parameters.map(([name, , type], index) => [name, `$${first + index}${type === undefined ? "" : `::${type}`}`]),
  );
  if (placeholders.size < parameters.length) throw new Error("two parameters of a statement have one name");
  return {
    /** column names for an INSERT */
    names: [...placeholders.keys()].join(", "),
    /** the placeholders, in the order of `names` */
    placeholders: [...placeholders.values()].join(", "),
    next: first + parameters.length,
    placeholder: (name: string): string => {
      const placeholder = placeholders.get(name);
      if (placeholder === undefined) throw new Error(`the statement has no parameter ${name}`);
      return placeholder;
    },
    valuesOf: (input: Input): SqlValue[] => parameters.map(([, read]) => read(input)),
  };
};
