import type { Target } from './drive-load.js';

/** Calls for which money was set aside, by who did it. */
export interface Admissions {
  readonly byLease: number;
  readonly byBilling: number;
}

/** What a gateway counted since it was started. */
export async function readAdmissions({ origin }: Target): Promise<Admissions> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const read = (by: string) =>
    Number(new RegExp(`^gateway_admissions_total\\{by="${by}"[^}]*\\} (\\S+)`, 'm').exec(metrics)?.[1] ?? 0);
  return { byLease: read('lease'), byBilling: read('billing') };
}
