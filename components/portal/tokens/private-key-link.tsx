"use client";
import { useEffect, useState } from "react";
import { buttonClass } from "../../ui/button.tsx";

type Props = { privateJwk: object; variant?: "primary" | "plain"; onSaved?: () => void };

/** Downloads a key that this browser generated. Nothing is sent. */
export const PrivateKeyLink = ({ privateJwk, variant = "plain", onSaved }: Props) => (
  <FileLink
    text={`${JSON.stringify(privateJwk, null, 2)}\n`}
    type="application/jwk+json"
    name="private-key.jwk.json"
    variant={variant}
    {...(onSaved ? { onSaved } : {})}
  >
    Download private key
  </FileLink>
);

type FileProps = {
  text: string;
  type: string;
  name: string;
  variant: "primary" | "plain";
  onSaved?: () => void;
  children: string;
};

/** A link that looks like a button and downloads the given text as a file. */
export const FileLink = ({ text, type, name, variant, onSaved, children }: FileProps) => {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [text, type]);
  return address ? (
    <a href={address} download={name} className={buttonClass({ variant })} onClick={onSaved}>
      {children}
    </a>
  ) : null;
};
