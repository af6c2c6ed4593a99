import { gzipSync } from "node:zlib";
import { escapeForTarget, escapeOctet, type Mutation } from "../http-message.ts";
import { nastyText } from "../nasty.ts";
import type { Random } from "../random.ts";
import { mutateJson } from "./mutate-json.ts";

const changeBytes = (body: Buffer, random: Random): Buffer => {
  const copy = Buffer.from(body);
  for (let times = 1 + random.below(4); times > 0 && copy.length > 0; times--) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
};

export const changeSize: Mutation = (message, random) => {
  const bodies = [
    () => Buffer.alloc(0),
    () => message.body.subarray(0, random.below(message.body.length + 1)),
    () => Buffer.concat([message.body, random.bytes(1 + random.below(20))]),
    () => random.bytes(random.below(200)),
    () =>
      Buffer.concat([
        message.body,
        Buffer.from("&x=".padEnd(64 * 1024 - message.body.length + random.below(3) - 1, "y")),
      ]),
    () => Buffer.alloc(random.pick([65_537, 200_000, 1_000_000]), "z"),
    () => gzipSync(message.body),
    () => Buffer.from(message.body.toString(), "utf16le"),
    () => changeBytes(message.body, random),
  ];
  return { ...message, body: random.pick(bodies)() };
};

/** A form's parameters, changed one at a time. */
export const changeForm: Mutation = (message, random) => {
  const fields = [...new URLSearchParams(message.body.toString())];
  if (fields.length === 0) return changeSize(message, random);
  const at = random.below(fields.length);
  const [name = "", value = ""] = fields[at] ?? [];
  const encode = (text: string) => escapeForTarget(text).replace(/[&+=#]/g, escapeOctet);
  const write = (pairs: readonly (readonly string[])[]) =>
    pairs.map(([key = "", text = ""]) => `${encode(key)}=${encode(text)}`).join("&");
  const others = fields.filter((_, index) => index !== at);
  const bodies = [
    () => write(others),
    () => write([...fields, [name, value]]),
    () => write([...others, [name, nastyText(random)]]),
    () => write([...others, [name, nastyText(random)]]),
    () => write([...others, [name, value.slice(0, random.below(value.length + 1))]]),
    () => write([...others, [name, value + nastyText(random)]]),
    () => write([...fields, [nastyText(random), nastyText(random)]]),
    () => write([...others, [name, changeBytes(Buffer.from(value), random).toString("latin1")]]),
    () => `${write(fields)}&%zz=%f&&=`,
    () => write([...fields, ["resource", nastyText(random)], ["resource", nastyText(random)], ["audience", "x"]]),
    () => write([...others, [name, jsonOrText(value, random)]]),
    () => write(fields).replaceAll("&", ";"),
    () => write([...fields, ...Array.from({ length: 1_000 }, (_, index) => [`p${index}`, ""])]),
  ];
  return { ...message, body: Buffer.from(random.pick(bodies)(), "latin1") };
};

const jsonOrText = (value: string, random: Random): string => {
  try {
    return mutateJson(JSON.parse(value), random);
  } catch {
    return mutateJson([{ type: "payment_mandate_v1", actions: ["charge"], currency: "EUR" }], random);
  }
};

export const changeJson: Mutation = (message, random) => ({
  ...message,
  body: Buffer.from(mutateJson(JSON.parse(message.body.toString()), random)),
});
