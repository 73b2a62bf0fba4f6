import type { BatchCarrier } from '@mg/contract';
import { findProvider, listProviders, type ProviderDescriptor, type Settings } from '@mg/providers';
import { z } from 'zod';
import { describeIssue } from '../http/describe-issue.js';
import { explainRefusal } from '../http/explain-refusal.js';
import { checkApiKeys, checkPlainSettings } from './check-credentials.js';
import { FieldProblem, refuseField } from './field-problem.js';
import { type CheckedSettings, dropTakenAway, splitSettings } from './secret-settings.js';

/** @throws FieldProblem when there is no provider of that type. */
export function requireProvider(type: string): ProviderDescriptor {
  const provider = findProvider(type);
  if (provider) return provider;
  const known = listProviders().map((known) => known.id);
  throw refuseField('type', 'no_channel_type', [type, known.join(', ')]);
}

interface ChannelAccess {
  readonly baseUrl: string | undefined;
  /** Keys that came along. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Whether there are keys already. */
  readonly hasApiKey?: boolean;
}

/** @throws FieldProblem when the provider cannot be reached, or not called, with what there is. */
export function checkAccess(
  provider: ProviderDescriptor,
  { baseUrl, apiKeys, hasApiKey }: ChannelAccess,
): void {
  if (baseUrl === undefined && needsBaseUrl(provider)) {
    throw refuseField('base_url', 'required_for_type', [provider.id]);
  }
  if (baseUrl !== undefined && hasCredentials(baseUrl)) {
    throw refuseField('base_url', 'credentials_in_address');
  }
  if (provider.credential === 'api-key' && apiKeys === undefined && !hasApiKey) {
    throw refuseField('api_key', 'required_for_type', [provider.id]);
  }
  checkApiKeys(provider, apiKeys);
}

/** @throws FieldProblem when batches shall be the provider's own, and it has none that are known here. */
export function checkBatches(provider: ProviderDescriptor, batches: BatchCarrier | undefined): void {
  if (batches !== 'native' || provider.batches) return;
  const offered = listProviders().filter((known) => known.batches);
  const types = offered.map(({ id }) => id).join(', ');
  throw refuseField('batches', 'batches_not_native', [types, provider.id]);
}

/** Stands in a check for a stored secret that nobody reads. */
const UNSEEN = 'a stored secret';

/**
 * Checks settings, beside the stored secrets that they leave out, by the rules of the provider. Answers them as the
 * provider reads them.
 *
 * @param stored - names of the channel's secret settings.
 * @throws FieldProblem that names the setting.
 */
export function checkSettings(
  provider: ProviderDescriptor,
  given: Settings,
  stored: readonly string[] = [],
): CheckedSettings {
  const kept = stored.filter((name) => !(name in given));
  const left = dropTakenAway(provider, given);
  const unseen = Object.fromEntries(kept.map((name) => [name, UNSEEN]));
  let result = parse(provider, { ...unseen, ...left });
  // A stored secret was checked when it was stored: only what it leaves undecided is to be found out.
  if (!result.success && result.error.issues.every((issue) => kept.includes(String(issue.path[0])))) {
    result = parse(provider, left);
  }
  if (!result.success) throw toFieldProblem(result.error);
  checkPlainSettings(left);
  const { shown, secret } = splitSettings(provider, result.data);
  const came = Object.entries(secret).filter(([name]) => !kept.includes(name));
  return { shown, secret: { given: Object.fromEntries(came), kept } };
}

function parse(provider: ProviderDescriptor, settings: Settings) {
  return provider.settings.safeParse(settings, { error: describeIssue });
}

/**
 * Checks settings of which secrets may be stored already: what is wrong only because a secret is left out passes.
 *
 * @throws FieldProblem that names the setting.
 */
export function checkGivenSettings(provider: ProviderDescriptor, given: Settings): void {
  const whole = dropTakenAway(provider, given);
  const result = parse(provider, whole);
  checkPlainSettings(whole);
  if (result.success) return;
  const leftOut = (provider.secretSettings ?? []).filter((name) => whole[name] === undefined);
  const issues = result.error.issues.filter((issue) => !leftOut.includes(String(issue.path[0])));
  if (issues.length > 0) throw toFieldProblem(new z.ZodError(issues));
}

function toFieldProblem(error: z.ZodError): FieldProblem {
  const { param, message, reason, values } = explainRefusal(error);
  const name = param === '' ? 'settings' : `settings.${param}`;
  return new FieldProblem(name, message.slice(param === '' ? 0 : param.length + 2), reason, values);
}

/** A provider that answers in this process, or has a well-known address, needs none of the channel's. */
export function needsBaseUrl(provider: ProviderDescriptor): boolean {
  return (
    provider.defaultBaseUrl === undefined && provider.surfaces.some((surface) => surface.answer === undefined)
  );
}

function hasCredentials(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.username !== '' || url.password !== '';
}
