import type { Channel, SettingField } from '../../api/console-api.js';
import type { BodyOf } from '../../api/routes.js';
import { type LimitsDraft, toLimitsBody, toLimitsDraft } from '../limits/limits-draft.js';
import { type SettingsDraft, toSettings, toSettingsDraft } from './settings-draft.js';

type TimeLimit = keyof Channel['timeout'];

export const TIME_LIMITS: readonly TimeLimit[] = ['connect', 'first_byte', 'idle', 'total'];

/** A channel as it is written in a form. */
export interface ChannelDraft {
  readonly name: string;
  readonly type: string;
  readonly baseUrl: string;
  /** Empty keeps the key that is set. */
  readonly apiKey: string;
  /** A model on each line: its public slug, or `slug: the provider's name`. */
  readonly models: string;
  readonly settings: SettingsDraft;
  /** Such as "3s"; empty means the gateway's own. */
  readonly timeout: Readonly<Partial<Record<TimeLimit, string>>>;
  readonly priority: string;
  readonly weight: string;
  /** Empty is the default of the type. */
  readonly onAbort: Channel['on_abort'] | '';
  /** Who carries out lines of batches. */
  readonly batches: Channel['batches'];
  /** Such as "5m"; empty means that it is never probed. */
  readonly probe: string;
  readonly limits: LimitsDraft;
  readonly isEnabled: boolean;
}

export function toChannelDraft(channel: Channel | undefined, fields: readonly SettingField[]): ChannelDraft {
  return {
    name: channel?.name ?? '',
    type: channel?.type ?? '',
    baseUrl: channel?.base_url ?? '',
    apiKey: '',
    models: Object.entries(channel?.models ?? {})
      .map(([slug, name]) => (slug === name ? slug : `${slug}: ${name}`))
      .join('\n'),
    settings: toSettingsDraft(channel?.settings ?? {}, fields),
    timeout: channel?.timeout ?? {},
    priority: String(channel?.priority ?? 0),
    weight: String(channel?.weight ?? 1),
    onAbort: channel?.on_abort ?? '',
    batches: channel?.batches ?? 'gateway',
    probe: channel?.probe ?? '',
    limits: toLimitsDraft(channel),
    isEnabled: channel?.enabled ?? true,
  };
}

/** Whether an address that is written leads elsewhere than the channel does, so that its key has to be written again. */
export function leadsElsewhere(
  channel: Channel,
  defaultUrl: string | null | undefined,
  baseUrl: string,
): boolean {
  const from = originOf(channel.base_url ?? defaultUrl ?? '');
  const to = originOf(baseUrl.trim() === '' ? (defaultUrl ?? '') : baseUrl.trim());
  return to !== undefined && to !== from;
}

/** Scheme, host and port; `undefined` for what is no address yet. */
function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

interface BodyOptions {
  readonly fields: readonly SettingField[];
  /** What is wrong with other settings that are no JSON object. */
  readonly otherwise: string;
}

type ChannelBody = Omit<BodyOf<'/api/v1/channels', 'post'>, 'type'>;

/** What the API is sent, but for the type. @throws Error when the other settings are no JSON object. */
export function toChannelBody(draft: ChannelDraft, { fields, otherwise }: BodyOptions): ChannelBody {
  return {
    name: draft.name.trim(),
    base_url: draft.baseUrl.trim() === '' ? null : draft.baseUrl.trim(),
    api_key: draft.apiKey === '' ? undefined : draft.apiKey.trim(),
    models: parseModels(draft.models),
    settings: toSettings(draft.settings, fields, otherwise),
    timeout: Object.fromEntries(
      Object.entries(draft.timeout)
        .map(([name, text]) => [name, text.trim()])
        .filter(([, text]) => text !== ''),
    ),
    priority: Number(draft.priority),
    weight: Number(draft.weight),
    on_abort: draft.onAbort === '' ? null : draft.onAbort,
    batches: draft.batches,
    probe: draft.probe.trim() === '' ? null : draft.probe.trim(),
    limits: toLimitsBody(draft.limits).limits,
    enabled: draft.isEnabled,
  };
}

function parseModels(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      // A colon may be part of either name: only one with a space after it separates them.
      const [slug = '', name] = line.split(/:\s+/, 2);
      return [slug, name ?? slug];
    }),
  );
}
