"use client";
import { useRef, useState } from "react";
import { textField } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { type ClientKey, makeClientKey } from "../../portal/tokens/client-key.ts";
import { Choice } from "../../ui/choice.tsx";
import { TextArea } from "../../ui/field/field.tsx";
import { readPastedKey } from "./pasted-key.ts";

/** The form has a `jwk` field only if the person chooses to paste a key. */
export const KeyFields = ({ error }: { error?: string | null }) => {
  const [isPasted, setIsPasted] = useState(false);
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Key</legend>
        <Choice type="radio" name="key" defaultChecked onChange={() => setIsPasted(false)}>
          Generate a key pair in this browser; the private key isn’t sent to Paygrant
        </Choice>
        <Choice type="radio" name="key" onChange={() => setIsPasted(true)}>
          Paste the public key of a key pair that you have
        </Choice>
      </fieldset>
      {isPasted ? (
        <TextArea
          label="Public key"
          name="jwk"
          required
          maxLength={10_000}
          spellCheck={false}
          hint="A JWK: P-256, Ed25519, or RSA with at least 2048 bits."
          error={error}
        />
      ) : null}
    </>
  );
};

type ChosenKey = { publicJwk: Record<string, unknown>; privateJwk: JsonWebKey | null };

/**
 * Reads the key of a submitted form. The page generates one key and keeps it, so that a repeated request doesn't add a
 * second key.
 */
export const useChosenKey = () => {
  const generated = useRef<ClientKey | null>(null);
  return {
    /** @returns the problem of a pasted key; null if the form can be sent. */
    findProblem(form: FormData): string | null {
      const pasted = form.has("jwk") ? readPastedKey(textField(form, "jwk")) : null;
      return pasted && "problem" in pasted ? pasted.problem : null;
    },
    async read(form: FormData): Promise<ChosenKey> {
      const pasted = form.has("jwk") ? readPastedKey(textField(form, "jwk")) : null;
      if (pasted && "jwk" in pasted) return { publicJwk: pasted.jwk, privateJwk: null };
      generated.current ??= await makeClientKey();
      return generated.current;
    },
  };
};
