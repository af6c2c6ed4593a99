import { headerOf, type Message, type Mutation } from "../http-message.ts";
import type { Random } from "../random.ts";
import { changeForm, changeJson, changeSize } from "./change-body.ts";
import { changeHeaders } from "./change-headers.ts";
import { changeMethod, changeTarget } from "./change-target.ts";

/** The body in the format of its media type. */
const changeContent: Mutation = (message, random) => {
  const type = headerOf(message, "content-type");
  if (type === "application/json") return changeJson(message, random);
  return type ? changeForm(message, random) : changeHeaders(message, random);
};

const mutations: readonly Mutation[] = [
  changeMethod,
  changeTarget,
  changeTarget,
  changeHeaders,
  changeHeaders,
  changeHeaders,
  changeSize,
];

/** One or two faults. Most of them must be detected by the endpoint itself. */
export const mutateMessage = (message: Message, random: Random): Message => {
  let mutated = random.chance(45) ? changeContent(message, random) : message;
  if (mutated === message || random.chance(25)) mutated = random.pick(mutations)(mutated, random);
  return mutated;
};
