/** Has the same keys as a catalogue in English, with any texts. A missing or an unknown key doesn't compile. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> };
