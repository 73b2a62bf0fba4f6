import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../deployment/repository.js';

/** What a program is given to call the gateway. */
export interface Connection {
  /** The gateway's address, without a path. */
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** What stands in the page for the values that Connect fills in. */
const EXAMPLE: Connection = {
  gatewayUrl: 'https://gateway.example.com',
  apiKey: '$API_KEY',
  model: 'gpt-5-mini',
};

const SECTION = /^## (.+)\n\n```\w+\n([\s\S]*?)\n```$/gm;

/** Texts of programs by their names: `clients-page.spec.ts` of the Console's page keeps them those that Connect shows. */
const GUIDES = new Map(
  [...readFileSync(join(REPOSITORY, 'docs/clients.md'), 'utf8').matchAll(SECTION)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);

export const GUIDE_NAMES: readonly string[] = [...GUIDES.keys()];

/** The text that Connect shows for a program, with everything filled in. @throws Error for a program that has none. */
export function readGuide(name: string, { gatewayUrl, apiKey, model }: Connection): string {
  const text = GUIDES.get(name);
  if (text === undefined) throw new Error(`docs/clients.md has no text for ${name}`);
  return text
    .replaceAll(EXAMPLE.gatewayUrl, () => gatewayUrl)
    .replaceAll(EXAMPLE.apiKey, () => apiKey)
    .replaceAll(EXAMPLE.model, () => model);
}
