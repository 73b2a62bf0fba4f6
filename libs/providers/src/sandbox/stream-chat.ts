import { randomBytes } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import type { ChatBody } from './chat-request.js';
import type { Choice } from './compose-choice.js';
import { describeLogprobs } from './logprobs.js';
import { Pace } from './pace.js';
import { splitIntoGroups } from './tokens.js';

/** What all events of one answer share. */
export interface Identity {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export interface ChatStream {
  readonly identity: Identity;
  readonly body: ChatBody;
  readonly choices: readonly Choice[];
  readonly usage: unknown;
  readonly signal: AbortSignal;
}

/** The answer as OpenAI's event stream, paced like a model's. Ends early when the signal aborts. */
export async function* streamChoices(stream: ChatStream): AsyncGenerator<Buffer> {
  const { body, choices, signal } = stream;
  const includesUsage = body.stream_options?.include_usage === true;
  const writeEvent = createEventWriter(stream.identity, includesUsage);
  const pace = new Pace(signal);
  try {
    yield Buffer.from(
      choices
        .map((_, index) => writeEvent(index, { role: 'assistant', content: '', refusal: null }))
        .join(''),
    );
    const parts = choices.map((choice) => listDeltas(choice, body));
    const longest = Math.max(...parts.map((deltas) => deltas.length));
    for (let at = 0; at < longest; at += 1) {
      if (!(await pace.next())) return;
      let events = '';
      for (const [index, deltas] of parts.entries()) {
        const part = deltas[at];
        if (part) events += writeEvent(index, part.delta, null, part.logprobs);
      }
      yield Buffer.from(events);
    }
    const endings = choices.map((choice, index) => writeEvent(index, {}, choice.finishReason)).join('');
    yield Buffer.from(`${endings}${includesUsage ? writeEvent.usage(stream.usage) : ''}data: [DONE]\n\n`);
  } finally {
    pace.end();
  }
}

interface Part {
  readonly delta: unknown;
  readonly logprobs?: unknown;
}

function listDeltas(choice: Choice, body: ChatBody): Part[] {
  const parts: Part[] = splitIntoGroups(choice.reasoning).map((thought) => ({
    delta: { reasoning_content: thought },
  }));
  for (const content of splitIntoGroups(choice.text)) {
    parts.push(
      omitUndefined({
        delta: { content },
        logprobs: body.logprobs ? describeLogprobs(content, body.top_logprobs ?? 0) : undefined,
      }),
    );
  }
  for (const [index, call] of choice.toolCalls.entries()) {
    const id = `call_${randomBytes(12).toString('hex')}`;
    const opening = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
    parts.push({ delta: { tool_calls: [opening] } });
    for (const fragment of splitIntoGroups(call.arguments)) {
      parts.push({ delta: { tool_calls: [{ index, function: { arguments: fragment } }] } });
    }
  }
  return parts;
}

interface EventWriter {
  (index: number, delta: unknown, finishReason?: string | null, logprobs?: unknown): string;
  usage(usage: unknown): string;
}

/** Writes events around one unchanging head, so that a delta costs a small `stringify` only. */
function createEventWriter(identity: Identity, includesUsage: boolean): EventWriter {
  const head =
    `data: {"id":${JSON.stringify(identity.id)},"object":"chat.completion.chunk","created":${identity.created},` +
    `"model":${JSON.stringify(identity.model)},"system_fingerprint":"sandbox","choices":[`;
  const tail = includesUsage ? '],"usage":null}\n\n' : ']}\n\n';
  const write = (index: number, delta: unknown, finishReason: string | null = null, logprobs?: unknown) =>
    `${head}{"index":${index},"delta":${JSON.stringify(delta)},"logprobs":${JSON.stringify(logprobs ?? null)},` +
    `"finish_reason":${JSON.stringify(finishReason)}}${tail}`;
  return Object.assign(write, {
    usage: (usage: unknown) => `${head}],"usage":${JSON.stringify(usage)}}\n\n`,
  });
}
