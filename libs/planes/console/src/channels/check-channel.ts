import { explainIssue } from '@mg/contract';
import { findProvider, listProviders, type ProviderDescriptor } from '@mg/providers';
import { describeIssue } from '../http/describe-issue.js';

/** A field that breaks a rule: its name and a sentence that begins with it. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';

  constructor(
    readonly param: string,
    rule: string,
  ) {
    super(`${param}: ${rule}`);
  }
}

/** @throws FieldProblem when there is no provider of that type. */
export function requireProvider(type: string): ProviderDescriptor {
  const provider = findProvider(type);
  if (provider) return provider;
  const known = listProviders().map((known) => known.id);
  throw new FieldProblem('type', `there is no channel type "${type}"; the types are ${known.join(', ')}.`);
}

export interface ChannelFacts {
  readonly type: string;
  readonly baseUrl: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly hasApiKey: boolean;
}

/**
 * Checks a channel by the rules of its provider. Answers its settings as the provider reads them.
 *
 * @throws FieldProblem that names the field.
 */
export function checkChannel(channel: ChannelFacts): Record<string, unknown> {
  const provider = requireProvider(channel.type);
  if (channel.baseUrl === undefined && needsBaseUrl(provider)) {
    throw new FieldProblem('base_url', `is required for a channel of type ${provider.id}.`);
  }
  if (channel.baseUrl !== undefined && hasCredentials(channel.baseUrl)) {
    throw new FieldProblem('base_url', 'must not carry a user name or password; use api_key.');
  }
  if (provider.credential === 'api-key' && !channel.hasApiKey) {
    throw new FieldProblem('api_key', `is required for a channel of type ${provider.id}.`);
  }
  const settings = provider.settings.safeParse(channel.settings, { error: describeIssue });
  if (settings.success) return settings.data;
  const { param, message } = explainIssue(settings.error);
  const name = param === '' ? 'settings' : `settings.${param}`;
  throw new FieldProblem(name, message.slice(param === '' ? 0 : param.length + 2));
}

/** A provider that answers in this process, or has a well-known address, needs none of the channel's. */
function needsBaseUrl(provider: ProviderDescriptor): boolean {
  return (
    provider.defaultBaseUrl === undefined && provider.surfaces.some((surface) => surface.answer === undefined)
  );
}

function hasCredentials(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.username !== '' || url.password !== '';
}
