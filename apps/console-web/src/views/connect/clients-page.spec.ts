import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLIENT_NOTES } from './client-notes.js';
import { GUIDE_NAMES, type GuideName, writeGuide } from './write-guide.js';

const PAGE = new URL('../../../../../docs/clients.md', import.meta.url);
const CONNECTION = { url: 'https://gateway.example.com', key: '$API_KEY', model: 'gpt-5-mini' };
/** Programs whose text is no shell script. */
const LANGUAGES: Partial<Record<GuideName, string>> = {
  Cursor: 'text',
  Cline: 'text',
  'OpenAI Agents': 'python',
  'Vercel AI SDK': 'ts',
  LangChain: 'python',
  LlamaIndex: 'python',
  'Pydantic AI': 'python',
  Instructor: 'python',
  LiteLLM: 'python',
};
const OPENING = `# Clients

What to set so that a program calls the gateway, and what to know of it. The Console fills in address, key and
model: beside a new key, and under \`Connect\`. Written by the tests out of \`apps/console-web/src/views/connect\`:
\`UPDATE_GOLDENS=1 npx vitest run --project unit apps/console-web/src/views/connect\`.

- **Names that a program hard-codes**: a model may have [aliases](configuration.md) such as \`claude-*\`, a key a
  default model for names that there are not. What a key may use is decided by the slug behind a name.
- **The name in an answer** is the one that was asked for, where the answer was converted; where the channel
  speaks the client's protocol its bytes are not changed, and the name is the provider's. \`x-gateway-model\` is
  the slug in either case.
- **What a channel cannot carry** is named in \`x-gateway-dropped\` where it only hints; with
  \`x-gateway-strict: 1\` it is refused. Tools of the client, its turns and schemas are
  carried or refused; tools that a provider runs are named where the channel has none, and refused where forced.
- **What a call cost** is \`x-gateway-cost\`; of a stream it comes as a trailer to who sends \`TE: trailers\`, and
  with \`x-gateway-cost: 1\` as \`gateway_cost\` beside the usage in its last event that holds any: decimal USD as
  a text ([how](a-request.md#which-headers-are-passed-on)). \`GET /v1/usage/{request_id}\` returns it by the
  \`x-request-id\` of the answer.
- **The Responses API remembers** over every channel, unless \`store\` is \`false\`, with conversations and compaction
  ([how long](a-request.md#what-does-the-responses-api-remember)).
- **The Realtime API** of OpenAI's SDKs works by base URL and key ([realtime](realtime.md)): they speak TLS only, so the
  address has to be one of \`https:\`.
- **The Live API** of Google's SDKs works by base URL and key ([live](realtime.md#googles-live-api)); that for Python
  speaks TLS only.
- **Batches** of all three are those of their SDKs, by file and by requests, over every channel ([batches](batches.md)).
- **Files that SDKs of Anthropic, Google and OpenAI upload** lie with the gateway, and calls that name them go
  to every channel ([files](files.md)).
- **Servers of one's own** (\`openai-compatible\`) that refuse something have settings of their channel for it:
  \`system_first_only\` for system messages in mid-conversation, \`max_tokens_field\` for the name of the longest
  answer, and others that the Console's form shows.
- **Not served** are vector stores and assistants of OpenAI, skills of Anthropic, and of Google interactions
  (\`/v1/interactions\`) and \`:predictLongRunning\`: a 404 in the shape of the client's own API.
  [Videos](video.md) have paths of their own.
`;

function writeSection(name: GuideName): string {
  const [, language = ''] = /, (Python|Node)$/.exec(name) ?? [];
  const byName = { Python: 'python', Node: 'ts' }[language];
  const notes = CLIENT_NOTES[name]?.en ?? [];
  const fence = LANGUAGES[name] ?? byName ?? 'sh';
  const list = notes.length === 0 ? '' : `\n${notes.map((note) => `- ${note}`).join('\n')}\n`;
  return `\n## ${name}\n\n\`\`\`${fence}\n${writeGuide(name, CONNECTION)}\n\`\`\`\n${list}`;
}

it('docs/clients.md says what the panel says', () => {
  const page = OPENING + GUIDE_NAMES.map(writeSection).join('');
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

it('notes are there in every language of the page', () => {
  for (const { en, zh } of Object.values(CLIENT_NOTES)) expect(zh).toHaveLength(en.length);
});
