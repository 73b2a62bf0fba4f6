import { waitUntil } from '../wait-until.js';
import { KEYS } from './credentials.js';

const KNOWN_WITHIN_MS = 60_000;

/**
 * Waits until a gateway serves a model of the configuration file: it is ready as soon as it has read the database, which may be
 * before the console has applied the file.
 *
 * @throws Error when a minute is over.
 */
export function waitForModel(gatewayUrl: string, model: string): Promise<unknown> {
  return waitUntil(`${gatewayUrl} knows ${model}`, () => knowsModel(gatewayUrl, model), KNOWN_WITHIN_MS);
}

async function knowsModel(gatewayUrl: string, model: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${KEYS.main}` };
  const { ok } = await fetch(`${gatewayUrl}/v1/models/${model}`, { headers });
  return ok;
}
