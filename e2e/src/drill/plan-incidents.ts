import { createRandom } from '../create-random.js';

export const KINDS = ['gateway', 'billing', 'worker', 'postgres', 'redis'] as const;
export type Kind = (typeof KINDS)[number];

/** Processes that may be struck; those of a plane have two replicas. */
export const VICTIMS: Readonly<Record<Kind, readonly string[]>> = {
  gateway: ['gateway-1', 'gateway-2'],
  billing: ['billing-1', 'billing-2'],
  worker: ['worker-1', 'worker-2'],
  postgres: ['postgres'],
  redis: ['redis'],
};

/** What is done to a process, once so many orders of the batch that goes with it have been begun. */
export type Incident = {
  readonly victim: string;
  /** From 0 to 1. */
  readonly moment: number;
} & (
  | { readonly action: 'kill'; readonly losesData: boolean }
  | { readonly action: 'freeze'; readonly forMs: number }
  | { readonly action: 'jump'; readonly offsetMs: number; readonly forMs: number }
);

export interface IncidentPlan {
  readonly kills: number;
  readonly seed: number;
}

/** Planes are killed more often: they hold what is in progress. */
const WEIGHTS: Readonly<Record<Kind, number>> = { gateway: 6, billing: 5, worker: 3, postgres: 3, redis: 3 };
const KILLS_A_FREEZE = 8;
const KILLS_A_JUMP = 8;
/** A gateway that is frozen for longer than a minute is given up by billing, and comes back with usage that is late. */
const KILLS_A_LONG_FREEZE = 200;
const LONG_FREEZE_MS = 70_000;
const FREEZE_MS = { least: 500, most: 4_000 };
const JUMP_FOR_MS = { least: 1_000, most: 4_000 };
/** Messages between planes are good for a minute: clocks that differ by less go on together, the others do not. */
const SMALL_JUMP_MS = 45_000;
const LARGE_JUMP_MS = 600_000;

/** What is done to whom in which order; the same for the same seed. */
export function planIncidents({ kills, seed }: IncidentPlan): Incident[] {
  const random = createRandom(seed);
  const draw = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
    least + random() * (most - least);
  const weighted = KINDS.flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind));
  const times = <Item>(count: number, make: (place: number) => Item) =>
    Array.from({ length: Math.floor(count) }, (_, place) => make(place));
  const incidents: Incident[] = [
    ...times(kills, (place): Incident => {
      const kind = KINDS[place] ?? draw(weighted);
      const victim = draw(VICTIMS[kind]);
      return { action: 'kill', victim, moment: random(), losesData: kind === 'redis' && random() < 0.5 };
    }),
    ...times(Math.ceil(kills / KILLS_A_FREEZE), (): Incident => ({
      action: 'freeze',
      victim: draw(VICTIMS[draw(KINDS)]),
      moment: random(),
      forMs: within(FREEZE_MS),
    })),
    ...times(kills / KILLS_A_LONG_FREEZE, (): Incident => ({
      action: 'freeze',
      victim: draw(VICTIMS.gateway),
      moment: random(),
      forMs: LONG_FREEZE_MS,
    })),
    ...times(Math.ceil(kills / KILLS_A_JUMP), (): Incident => {
      const most = random() < 0.5 ? SMALL_JUMP_MS : LARGE_JUMP_MS;
      return {
        action: 'jump',
        victim: draw(VICTIMS[draw(['gateway', 'billing', 'worker'] as const)]),
        moment: random(),
        offsetMs: within({ least: -most, most }),
        forMs: within(JUMP_FOR_MS),
      };
    }),
  ];
  return incidents
    .map((incident) => ({ incident, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ incident }) => incident);
}

/** How a drill says what it does. */
export function describeIncident(incident: Incident): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  switch (incident.action) {
    case 'kill':
      return `kill ${incident.victim}${incident.losesData ? ', which loses its data' : ''}`;
    case 'freeze':
      return `freeze ${incident.victim} for ${seconds(incident.forMs)}`;
    case 'jump':
      return `clock of ${incident.victim} wrong by ${seconds(incident.offsetMs)} for ${seconds(incident.forMs)}`;
  }
}
