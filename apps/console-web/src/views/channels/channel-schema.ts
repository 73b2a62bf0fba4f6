import * as z from 'zod/mini';
import type { Channel, ChannelType } from '../../api/console-api.js';
import {
  duration,
  httpAddress,
  jsonObject,
  name,
  orNothing,
  required,
  wholeNumber,
} from '../../forms/texts.js';
import { fault } from '../../messages/say-fault.js';
import { limitsSchema, toLimitTexts } from '../limits/limits-schema.js';
import { settingsSchema, toOtherSettings, toSettingTexts } from './settings-schema.js';

export const TIME_LIMITS = ['connect', 'first_byte', 'idle', 'total'] as const;
/** Of a channel without time limits of its own. */
export const DEFAULT_TIMEOUTS = { connect: '3s', first_byte: '60s', idle: '60s', total: '15m' } as const;
export const ABORT_POLICIES = ['finish', 'cancel'] as const;
export const BATCH_CARRIERS = ['gateway', 'native'] as const;

const HIGHEST_PRIORITY = 1_000;
const MOST_WEIGHT = 10_000;
const SLUG = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/;

const time = orNothing(duration, undefined);

/** A model on each line: its public slug, or `slug: the provider's name`. */
const models = z.pipe(
  z.pipe(z.string(), z.transform(parseModels)),
  z
    .record(z.string(), z.string())
    .check(
      z.refine((named) => Object.keys(named).every((slug) => SLUG.test(slug)), fault('no_channel_models')),
    ),
);

/** What a form of a channel depends on. */
export interface ChannelForm {
  readonly type: ChannelType | undefined;
  /** The channel that is changed, where there is one. */
  readonly channel: Channel | undefined;
  /** What it is called where no name is written; without it a name is required. */
  readonly unnamed?: string | undefined;
}

/** What the fields of a channel may hold, and what is sent of it, with its type. */
export function channelSchema({ type, channel, unnamed }: ChannelForm, baseUrl: string) {
  const fields = z.object({
    name: unnamed === undefined ? name : orNothing(name, unnamed),
    type: required,
    base_url: type?.needs_base_url === true ? httpAddress : orNothing(httpAddress, null),
    api_key: needsApiKey({ type, channel }, baseUrl) ? required : orNothing(required, undefined),
    models,
    settings: settingsSchema(type?.settings ?? [], channel?.secret_settings ?? []),
    other_settings: orNothing(jsonObject, {}),
    priority: wholeNumber(-HIGHEST_PRIORITY, HIGHEST_PRIORITY),
    weight: wholeNumber(0, MOST_WEIGHT),
    timeout: z.object({ connect: time, first_byte: time, idle: time, total: time }),
    on_abort: orNothing(z.enum(ABORT_POLICIES), null),
    batches: z.enum(BATCH_CARRIERS),
    probe: orNothing(duration, null),
    limits: limitsSchema,
    enabled: z.boolean(),
  });
  return z.pipe(
    fields,
    z.transform(({ settings, other_settings: others, ...rest }) => ({
      ...rest,
      // A setting that has a field and is left empty there is as it stands among the others, if it does.
      settings: { ...others, ...dropUnset(settings) },
    })),
  );
}

function dropUnset(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

export type ChannelTexts = z.input<ReturnType<typeof channelSchema>>;

/** @param channel `undefined` for a new one, of no type or of the given one. @param types every type that there is. */
export function toChannelTexts(
  channel: Channel | undefined,
  types: readonly ChannelType[],
  newType = '',
): ChannelTexts {
  const type = channel?.type ?? newType;
  const settings = channel?.settings ?? {};
  const ownFields = types.find(({ id }) => id === type)?.settings ?? [];
  return {
    name: channel?.name ?? '',
    type,
    base_url: channel?.base_url ?? '',
    api_key: '',
    models: Object.entries(channel?.models ?? {})
      .map(([slug, upstream]) => (slug === upstream ? slug : `${slug}: ${upstream}`))
      .join('\n'),
    settings: {
      ...toSettingTexts(
        {},
        types.flatMap((known) => known.settings),
      ),
      ...toSettingTexts(settings, ownFields),
    },
    other_settings: toOtherSettings(settings, ownFields),
    priority: String(channel?.priority ?? 0),
    weight: String(channel?.weight ?? 1),
    timeout: { connect: '', first_byte: '', idle: '', total: '', ...channel?.timeout },
    on_abort: channel?.on_abort ?? '',
    batches: channel?.batches ?? 'gateway',
    probe: channel?.probe ?? '',
    limits: toLimitTexts(channel),
    enabled: channel?.enabled ?? true,
  };
}

/** Whether a key has to be written: there is none, or it does not go to the address that is written. */
export function needsApiKey({ type, channel }: ChannelForm, baseUrl: string): boolean {
  const hasKey = (channel?.key_hints.length ?? 0) > 0;
  return hasKey ? losesKey({ type, channel }, baseUrl) : type?.needs_api_key === true;
}

/** Whether a channel has a key that is not kept, since the address that is written leads elsewhere. */
export function losesKey({ type, channel }: ChannelForm, baseUrl: string): boolean {
  const hasKey = channel !== undefined && channel.key_hints.length > 0;
  return hasKey && leadsElsewhere(channel, type?.default_base_url, baseUrl);
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

function parseModels(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      // A colon may be part of either name: only one with a space after it separates them.
      const [slug = '', upstream] = line.split(/:\s+/, 2);
      return [slug, upstream ?? slug];
    }),
  );
}
