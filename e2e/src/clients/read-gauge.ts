import { SECRETS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { request } from './gateway-client.js';

/** A figure of the gateway's own metrics. @returns NaN when there is none of that name. */
export async function readGauge(deployment: Deployment, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${SECRETS.metrics}` };
  const { text } = await request(deployment, '/metrics', { headers });
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}
