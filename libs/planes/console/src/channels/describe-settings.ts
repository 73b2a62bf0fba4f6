import type { ProviderDescriptor } from '@mg/providers';
import { z } from 'zod';

/** How a setting is asked for: `list` is separated by commas, `json` whatever has no simpler form. */
const KINDS = ['text', 'secret', 'choice', 'flag', 'number', 'list', 'json'] as const;

export const settingFieldSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    help: z.string().nullable(),
    kind: z.enum(KINDS),
    required: z.boolean(),
    choices: z.array(z.string()).describe('Allowed values; of a list, of its items.'),
    default: z.string().nullable().describe('Value in effect when unset.'),
  })
  .meta({ id: 'SettingField' });

type SettingField = z.output<typeof settingFieldSchema>;

/** What a form needs of a JSON schema. */
interface Property {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
}

/** The settings of a provider's channels as its schema describes them, for a form. */
export function describeSettings({ settings, secretSettings = [] }: ProviderDescriptor): SettingField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(settings, {
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    title: property.title ?? name,
    help: property.description ?? null,
    kind: secretSettings.includes(name) ? 'secret' : kindOf(property),
    required: required.includes(name),
    choices: choicesOf(property),
    default: property.default === undefined ? null : String(property.default),
  }));
}

function kindOf(property: Property): SettingField['kind'] {
  if (property.enum) return 'choice';
  if (property.type === 'boolean') return 'flag';
  if (property.type === 'integer' || property.type === 'number') return 'number';
  if (property.type === 'array' && property.items?.enum) return 'list';
  return property.type === 'string' ? 'text' : 'json';
}

function choicesOf({ type, enum: choices, items, const: only }: Property): string[] {
  if (type === 'boolean') return only === undefined ? ['true', 'false'] : [String(only)];
  return [...(choices ?? items?.enum ?? [])];
}
