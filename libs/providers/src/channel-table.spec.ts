import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ProviderDescriptor } from './descriptor.js';
import { listProviders } from './registry.js';

const PAGE = new URL('../../../docs/channels.md', import.meta.url);
const INTRODUCTION = `# Channels

The types a channel can have. Written by the tests out of the descriptors in \`libs/providers/src\`:
\`UPDATE_GOLDENS=1 npx vitest run --project unit libs/providers\`. A client whose protocol is listed keeps its bytes; every other one is
[converted](conversions.md) to the first that serves the model. Video: \`generic\` orders are mapped, \`native\` ones go through as they are.

Callers cannot choose another model or provider behind a channel: \`models\`, \`provider\`, \`route\`, \`plugins\`, \`transforms\`, \`fallbacks\`,
\`preset\`, \`extra_body\`, \`api_base\` and the like (\`protocols/src/canonical/upstream-routing.ts\` has them all) are a 400 that names the field,
unless another channel of the model takes them. Types that speak OpenAI's chat completions as \`openai-compatible\` and \`openrouter\` do take
them with \`settings: { allow_upstream_routing: true }\`. What the server behind the channel then chooses is billed at the price of the model
that the call names, so allow it only where every choice costs no more.

| type | provider | protocols | asked once | video | address | appears by itself with | sealed settings |
|---|---|---|---|---|---|---|---|
`;

it('docs/channels.md lists every provider', () => {
  const page = INTRODUCTION + listProviders().map(writeRow).join('');
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

function writeRow(provider: ProviderDescriptor): string {
  const surfaces = [...provider.surfaces, ...(provider.realtime ?? [])];
  const protocols = [...new Set(surfaces.map((surface) => surface.protocol))];
  const key = provider.environmentKey;
  const cells = [
    `\`${provider.id}\``,
    provider.title,
    protocols.join(', '),
    [...new Set((provider.exchanges ?? []).map(({ operation }) => operation))].join(', '),
    explainVideo(provider),
    explainAddress(provider),
    key === undefined ? '' : `\`${key}\``,
    (provider.secretSettings ?? []).map((name) => `\`${name}\``).join(', '),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function explainVideo({ jobs = [] }: ProviderDescriptor): string {
  if (jobs.length === 0) return '';
  return jobs.some((surface) => surface.native === true) ? 'generic, native' : 'generic';
}

function explainAddress({ defaultBaseUrl, surfaces }: ProviderDescriptor): string {
  if (typeof defaultBaseUrl === 'function') return 'by its settings';
  if (defaultBaseUrl !== undefined) return defaultBaseUrl;
  return surfaces.every((surface) => surface.answer) ? 'answers in this process' : '`base_url` is needed';
}
