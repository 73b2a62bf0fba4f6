/** A gate that everyone waits at until a test opens it: how parallel calls are held in flight together. */
export interface Gate {
  wait(): Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  const gate = { open: (): void => undefined };
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  return { wait: () => opened, open: () => gate.open() };
}
