import { SECRETS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

/** A figure of the gateways' own metrics, all of them together. @returns NaN when there is none of that name. */
export async function readGauge({ gateways }: Deployment, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${SECRETS.metrics}` };
  const line = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm');
  const values = gateways.map(async (gateway) => {
    const response = await fetch(`${gateway}/metrics`, { headers });
    return Number(line.exec(await response.text())?.[1] ?? Number.NaN);
  });
  return (await Promise.all(values)).reduce((sum, value) => sum + value, 0);
}
