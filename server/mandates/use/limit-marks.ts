/** The marks at which the limits of a mandate are nearly used up, for the settlement of charges. */
export { type LimitMarks, marksBeyond } from "../rules/approaching.ts";
