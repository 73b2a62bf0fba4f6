import { setTimeout as sleep } from 'node:timers/promises';
import type { ComposeProject } from '../compose/compose-project.js';
import type { Container } from '../compose/container.js';
import type { Outcome, StackLoad } from './stack-load.js';

/** A container was killed or stopped between these two moments. */
export interface Incident {
  readonly container: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface StackDrill {
  readonly project: ComposeProject;
  readonly load: StackLoad;
  readonly say: (line: string) => void;
}

const PLANES = ['gateway', 'billing', 'video-worker', 'console'] as const;
/** Load between incidents, so that streams begin and end in each. */
const CALM_MS = 1_500;

/** Kills one of each plane, one after the other; the restart policy brings them back. */
export async function killEachPlane(drill: StackDrill): Promise<Incident[]> {
  const incidents: Incident[] = [];
  for (const plane of PLANES) {
    const [container] = drill.project.listOf(plane);
    if (!container) throw new Error(`There is no ${plane}.`);
    incidents.push(await disturb(drill, container, 'killed', () => container.kill()));
  }
  return incidents;
}

/**
 * Restarts containers of every plane, one after the other: each stops in its own time, and the next waits until it is back.
 *
 * @param atMost how many of each plane.
 */
export async function restartEachPlane(drill: StackDrill, atMost = Infinity): Promise<Incident[]> {
  const incidents: Incident[] = [];
  for (const container of PLANES.flatMap((plane) => drill.project.listOf(plane).slice(0, atMost))) {
    const restart = async () => {
      const code = await container.stop();
      if (code !== 0) throw new Error(`${container.plan.name} stopped with ${code}.`);
      container.start();
    };
    incidents.push(await disturb(drill, container, 'restarted', restart));
  }
  return incidents;
}

async function disturb(
  { load, say }: StackDrill,
  container: Container,
  word: string,
  act: () => Promise<void>,
): Promise<Incident> {
  await sleep(CALM_MS);
  const startedMs = Date.now();
  await act();
  const endedMs = Date.now();
  await container.waitUntilHealthy();
  const { name } = container.plan;
  const faults = load.outcomes.filter(({ fault }) => fault !== undefined).length;
  say(
    `${name}: ${word} in ${endedMs - startedMs} ms, healthy after ${Date.now() - startedMs} ms; ${load.outcomes.length} requests, ${faults} faults`,
  );
  return { container: name, startedMs, endedMs };
}

/**
 * Faults that nobody may have seen. A killed gateway takes with it what ran through it at that moment; whatever begins
 * later goes through another.
 */
export function findForbiddenFaults(load: StackLoad, kills: readonly Incident[]): string[] {
  return load.outcomes
    .filter((outcome) => outcome.fault !== undefined && !ranThroughKilledGateway(outcome, kills))
    .map((outcome) => `${outcome.mark} after ${outcome.endedMs - outcome.startedMs} ms: ${outcome.fault}`);
}

/** Whether a gateway was killed between a request's first byte and its last: it may have been this one's. */
function ranThroughKilledGateway(outcome: Outcome, kills: readonly Incident[]): boolean {
  return kills.some(
    ({ container, startedMs, endedMs }) =>
      container.startsWith('gateway') && outcome.startedMs <= endedMs && outcome.endedMs >= startedMs,
  );
}
