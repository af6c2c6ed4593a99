import { tabStorage } from "../ui/tab-storage.ts";
import { type DemoState, initialState, stepIds } from "./demo-steps.ts";

const slot = "paygrant-demo";

/** Keeps the state in this tab only: it survives a visit to the consent page, and is lost when the tab is closed. */
export const saveDemo = (state: DemoState): void => tabStorage.write(slot, JSON.stringify(state));

export const clearDemo = (): void => tabStorage.remove(slot);

export const loadDemo = (): DemoState => {
  try {
    // Written by `saveDemo` only. Members that a later version added get their initial value.
    const kept: Partial<DemoState> | null = JSON.parse(tabStorage.read(slot) ?? "null");
    // An earlier version may have used other step names.
    const isKnown = kept?.next === "done" || stepIds.some((step) => step === kept?.next);
    return isKnown ? { ...initialState, ...kept } : initialState;
  } catch {
    return initialState;
  }
};
