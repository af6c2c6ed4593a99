"use client";
import { useEffect, useState } from "react";

/** Downloads a key that this browser generated. Nothing is sent. */
export const PrivateKeyLink = ({ privateJwk }: { privateJwk: object }) => {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const file = new Blob([`${JSON.stringify(privateJwk, null, 2)}\n`], { type: "application/jwk+json" });
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [privateJwk]);
  return address ? (
    <a href={address} download="private-key.jwk.json">
      Download private key
    </a>
  ) : null;
};
