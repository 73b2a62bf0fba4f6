import { readFileSync, writeFileSync } from 'node:fs';
import { listProviders } from '@mg/providers';
import { describe, expect, it } from 'vitest';
import { type Row, WHOLE_TABLE } from './rows.js';

const PAGE = new URL('../../../../docs/sdks.md', import.meta.url);
const INTRODUCTION = `# Official SDKs over every type of channel

What is tried, end to end, with the packages \`openai\` (chat and responses), \`@anthropic-ai/sdk\` and \`@google/genai\`, changed in nothing but address
and key, over each type of channel that chats; and, apart from the table, sessions over a WebSocket ([realtime](realtime.md)): \`OpenAIRealtimeWS\` over
\`openai-compatible\` (\`e2e/src/realtime.e2e.ts\`), \`ai.live\` over \`gemini\` (\`e2e/src/live.e2e.ts\`). Written by the tests out of the rows in \`e2e/src/scenarios/sdk-table\`, which say the same to the tests:
\`UPDATE_GOLDENS=1 npx vitest run --project unit e2e\`.

Every SDK over every row (\`npm run e2e:compose\`; \`npm test\` asks one of them, in turn, over each type that shares its protocol with others): text, whole and streamed, and its cost to the nano-dollar; answers that were cut; JSON by a schema; two tools called at once,
answered, and the turn after; the SDK's own error classes for 400, 401, 429 and 500 of the provider, and for a stream that breaks; a user who leaves; the
model in the list and by its name. The provider is played by a server that writes and refuses as it does. What differs between the rows:

| type | by the model | images | thoughts | thoughts of earlier turns | cached tokens | tokens of a prompt |
|---|---|---|---|---|---|---|
`;

describe('the table of SDKs and channel types', () => {
  it('is what docs/sdks.md shows', () => {
    const page = INTRODUCTION + WHOLE_TABLE.map(writeRow).join('');
    if (process.env.UPDATE_GOLDENS === '1') writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });

  it('has a row for every type of channel that calls somebody to chat', () => {
    const types = listProviders()
      .filter(({ surfaces }) => surfaces.some((surface) => !surface.answer))
      .map(({ id }) => id);
    expect([...new Set(WHOLE_TABLE.map(({ type }) => type))].sort()).toEqual(types.sort());
  });
});

function writeRow(row: Row): string {
  const cells = [
    `\`${row.type}\``,
    `\`${row.model}\``,
    row.refusesImages ? "refused by the model, in the provider's words" : 'read',
    except('reported', 'kept by the provider', row.hidesThoughtsFrom),
    explainEarlierThoughts(row),
    row.hidesCache ? 'not reported' : except('reported', 'beside their place', row.hidesCacheFrom),
    row.counts ? 'counted by the provider' : 'by a tokenizer, marked estimated',
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function explainEarlierThoughts({ wantsThoughtsBack, dropsThoughtsOf, hidesThoughtsFrom }: Row): string {
  if (wantsThoughtsBack) return 'sent back, checked';
  return dropsThoughtsOf
    ? except('sent back', 'named as left out', dropsThoughtsOf)
    : except('sent back', 'none', hidesThoughtsFrom);
}

/** What holds, and for whom something else does. */
function except(rule: string, exception: string, names: readonly string[] = []): string {
  if (names.length === 0) return rule;
  return names.length === 4 ? exception : `${rule}; ${exception} for ${names.join(', ')}`;
}
