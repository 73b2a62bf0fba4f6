import type { Channel, ProbeOutcome } from '@mg/contract';
import { findProvider } from '@mg/providers';
import { scrubSecrets } from '@mg/runtime';

const LONGEST_MESSAGE = 512;

/** The result for something that was not even asked. */
export function failure(message: string): ProbeOutcome {
  return { ok: false, latency_ms: 0, status: null, message: scrubSecrets(message).slice(0, LONGEST_MESSAGE) };
}

/** Upstreams like to repeat a refused key in their message. */
export function hideSecrets(message: string, { type, apiKeys, settings }: Channel): string {
  const names = findProvider(type)?.secretSettings ?? [];
  const texts = [...apiKeys, ...names.map((name) => settings[name])].filter(
    (secret) => typeof secret === 'string' && secret !== '',
  );
  const hidden = texts.reduce<string>(
    (text, secret) => text.replaceAll(String(secret), '[redacted]'),
    message,
  );
  return scrubSecrets(hidden).slice(0, LONGEST_MESSAGE);
}
