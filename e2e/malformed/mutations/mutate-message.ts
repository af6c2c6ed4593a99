import { headerOf, type Message, type Mutation } from "../http-message.ts";
import type { Random } from "../random.ts";
import { changeForm, changeJson, changeSize } from "./change-body.ts";
import { changeHeaders } from "./change-headers.ts";
import { changeMethod, changeTarget } from "./change-target.ts";

/** Changes the body as JSON or as a form. Without a content type, changes the headers. */
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

/** Adds one or two faults. Most of them pass the HTTP parser, so the endpoint itself has to detect them. */
export const mutateMessage = (message: Message, random: Random): Message => {
  let mutated = random.chance(45) ? changeContent(message, random) : message;
  if (mutated === message || random.chance(25)) mutated = random.pick(mutations)(mutated, random);
  return mutated;
};
