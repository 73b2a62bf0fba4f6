import type { Channel, ProbeOutcome } from '@mg/contract';
import { findProvider } from '@mg/providers';
import { scrubSecrets } from '@mg/runtime';

const LONGEST_MESSAGE = 512;

/** The result for something that was not even asked. */
export function failure(message: string): ProbeOutcome {
  return { ok: false, latency_ms: 0, status: null, message: scrubSecrets(message).slice(0, LONGEST_MESSAGE) };
}

/** Why a channel with keys cannot be asked, or `undefined` where it can. */
export function findKeyProblem({ apiKeys, disabledKeys = [] }: Channel): string | undefined {
  return apiKeys.length === 0 && disabledKeys.length > 0
    ? 'Every key of the channel is disabled.'
    : undefined;
}

/** Upstreams like to repeat a refused key in their message. */
export function hideSecrets(
  message: string,
  { type, apiKeys, disabledKeys = [], settings }: Channel,
): string {
  const names = findProvider(type)?.secretSettings ?? [];
  const texts = [...apiKeys, ...disabledKeys, ...names.map((name) => settings[name])].filter(
    (secret) => typeof secret === 'string' && secret !== '',
  );
  const hidden = texts.reduce<string>(
    (text, secret) => text.replaceAll(String(secret), '[redacted]'),
    message,
  );
  return scrubSecrets(hidden).slice(0, LONGEST_MESSAGE);
}
