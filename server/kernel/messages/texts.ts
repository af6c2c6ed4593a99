/** A catalogue with the keys of the English one and other texts. A missing or an unknown key doesn't compile. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> };
