import { Lifecycle, STOP_ORDER } from './lifecycle.js';
import type { PlaneOptions, RunningPlane } from './running-plane.js';

/**
 * Starts a plane: `open` opens its parts and hands each to the lifecycle. One that fails, or is told to stop meanwhile, closes
 * what it has opened.
 *
 * @param open resolves with the address that the plane listens on.
 * @throws Error of `open`, or the reason of the signal.
 */
export function startPlane(
  name: string,
  options: PlaneOptions,
  open: (life: Lifecycle) => Promise<string | undefined>,
): Promise<RunningPlane> {
  return runStart(name, new Lifecycle(name, STOP_ORDER, options.logger), options, open);
}

/** `startPlane` for a process that stops in phases of its own. */
export async function runStart<Phase extends string>(
  name: string,
  life: Lifecycle<Phase>,
  { signal, logger }: PlaneOptions,
  open: (life: Lifecycle<Phase>) => Promise<string | undefined>,
): Promise<RunningPlane> {
  try {
    const address = await open(life);
    signal?.throwIfAborted();
    life.markReady();
    return { name, address, close: () => life.stop() };
  } catch (error) {
    await life
      .stop()
      .catch((loss: unknown) => logger.error({ err: loss }, `${name} could not be stopped properly`));
    throw error;
  }
}
