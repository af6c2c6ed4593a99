import { generateKeyPairSync, sign } from "node:crypto";

/** One DER value (X.690 §8.1). */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const octets = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...octets]), content]);
};

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const utcTime = (text: string) => der(0x17, Buffer.from(text));

/** Object identifiers, encoded: ecdsa-with-SHA256 (RFC 5758 §3.2) and commonName (RFC 5280 §4.1.2.4). */
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const commonName = der(0x06, Buffer.from("550403", "hex"));

/** A key and its self-signed certificate (RFC 5280 §4.1), for a browser that doesn't verify it. */
export const makeSelfSigned = (name: string): { key: string; cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const validity = sequence(utcTime("200101000000Z"), utcTime("491231235959Z"));
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
};
