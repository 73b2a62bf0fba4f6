import type { ConfigurationFile } from '@mg/contract';

/** A key of a channel in the file. */
export interface FileKey {
  readonly key: string;
  /** `undefined` leaves it as it is. */
  readonly enabled?: boolean | undefined;
}

type FileKeys = Pick<ConfigurationFile['channels'][number], 'api_key' | 'api_keys'>;

/** The keys that the file names for a channel; `undefined` where it names none and leaves those that are stored. */
export function readFileKeys({
  api_key: apiKey,
  api_keys: apiKeys,
}: FileKeys): readonly FileKey[] | undefined {
  if (apiKeys === undefined) return apiKey === undefined ? undefined : [{ key: apiKey }];
  return apiKeys.map((given) => (typeof given === 'string' ? { key: given } : given));
}
