"use client";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useAct } from "../acts/use-act.tsx";

/**
 * Requests the result of a setup once, after the person returns from the processor's page.
 * @returns `result` is null until it is known; `notice` says what went wrong.
 */
export const useFinish = <T>(setupId: string, finish: () => Promise<T>): { result: T | null; notice: ReactNode } => {
  const router = useRouter();
  const { perform, notice } = useAct();
  const [result, setResult] = useState<T | null>(null);
  const requested = useRef<string | null>(null);
  useEffect(() => {
    if (requested.current === setupId) return;
    requested.current = setupId;
    void perform(async () => {
      setResult(await finish());
      router.refresh();
    });
  }, [setupId, finish, perform, router]);
  return { result, notice };
};
