import THREAT_TABLE from './threats.json' with { type: 'json' };

export type ThreatId = keyof typeof THREAT_TABLE;

export interface Threat {
  /** What is attacked, and how. */
  readonly title: string;
  /** Why there is no attack for it. */
  readonly notApplicable?: string;
}

/** The threat model. It stands in a file that `npm run attack` reads as well. */
export const THREATS: Readonly<Record<ThreatId, Threat>> = THREAT_TABLE;
