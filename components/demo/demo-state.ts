import { type DemoState, freshState } from "./demo-flow.ts";

const slot = "paygrant-demo";

/** In this tab alone, so that it survives the way to the consent page and back, and ends with the tab. */
export const saveDemo = (state: DemoState): void => sessionStorage.setItem(slot, JSON.stringify(state));

export const clearDemo = (): void => sessionStorage.removeItem(slot);

export const loadDemo = (): DemoState => {
  try {
    // Written by `rememberDemo` alone; members that a later version added start fresh.
    const kept: Partial<DemoState> | null = JSON.parse(sessionStorage.getItem(slot) ?? "null");
    return { ...freshState, ...kept };
  } catch {
    return freshState;
  }
};
