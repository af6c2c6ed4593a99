import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import type { Language } from "./languages.ts";
import type { Texts } from "./texts.ts";

/** The English texts as literal types, from which the types of each text's arguments are derived. */
export type Catalogue = typeof en;

/** A part of the texts, such as those of one page: the name of a file below `en`. */
export type Area = keyof Catalogue;

export const catalogues: Readonly<Record<Language, Texts<Catalogue>>> = { en, de };
