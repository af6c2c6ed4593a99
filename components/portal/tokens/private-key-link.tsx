"use client";
import { useEffect, useState } from "react";

/** A key that this browser made, as a file of the reader's: nothing is sent. */
export const PrivateKeyLink = ({ privateJwk }: { privateJwk: object }) => {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const file = new Blob([`${JSON.stringify(privateJwk, null, 2)}\n`], { type: "application/jwk+json" });
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [privateJwk]);
  return address ? (
    <a href={address} download="private-key.jwk.json">
      Download private key
    </a>
  ) : null;
};
