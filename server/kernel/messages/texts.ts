/** A catalogue with the same keys as the English one, but other texts. A missing or unknown key doesn't compile. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> };
