import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHUNK_PREFIX, formatStamp, STAMP_DIGITS } from './chunk-stamp.js';

/**
 * An upstream that costs next to nothing: fixed answers, one timer for all streams. How it answers is in the
 * model's name: `json`, or `sse-<chunks>-<interval in ms>`. A chunk of a chat says in its id when it was sent.
 */
const ANSWER = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'All work and no play. '.repeat(36) },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 480, completion_tokens: 220, total_tokens: 700 },
  }),
);
/** A stream of a protocol: what it opens with, what comes again and again, and how it ends. */
interface Script {
  readonly opening: Buffer;
  readonly chunk: Buffer;
  readonly end: Buffer;
}

const CHAT_CHUNK = Buffer.from(
  `${CHUNK_PREFIX}${'0'.repeat(STAMP_DIGITS)}","object":"chat.completion.chunk","created":1700000000,"model":"bench","service_tier":"default","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":{"content":" playing"},"logprobs":null,"finish_reason":null}],"usage":null}\n\n`,
);
const CHAT: Script = {
  opening: CHAT_CHUNK,
  chunk: CHAT_CHUNK,
  end: Buffer.from(
    `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n` +
      `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":480,"completion_tokens":50,"total_tokens":530}}\n\ndata: [DONE]\n\n`,
  ),
};
const MESSAGES: Script = {
  opening: Buffer.from(
    toEvent({
      type: 'message_start',
      message: {
        id: 'msg_bench',
        type: 'message',
        role: 'assistant',
        model: 'bench',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 480, output_tokens: 1 },
      },
    }) + toEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ),
  chunk: Buffer.from(
    toEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' playing' } }),
  ),
  end: Buffer.from(
    toEvent({ type: 'content_block_stop', index: 0 }) +
      toEvent({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 50 },
      }) +
      toEvent({ type: 'message_stop' }),
  ),
};

function toEvent(event: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const SSE_MODEL = /"model":\s*"sse-(\d+)-(\d+)"/;

interface Stream {
  readonly response: ServerResponse;
  readonly script: Script;
  readonly everyMs: number;
  left: number;
  dueMs: number;
}

const streams = new Set<Stream>();

setInterval(() => {
  const nowMs = performance.now();
  let stamped: Buffer | undefined;
  for (const stream of streams) {
    if (nowMs < stream.dueMs) continue;
    stream.dueMs += stream.everyMs;
    if (stream.left-- > 0) {
      const isChat = stream.script === CHAT;
      if (isChat) stamped ??= stampChunk();
      stream.response.write(isChat && stamped ? stamped : stream.script.chunk);
    } else {
      streams.delete(stream);
      stream.response.end(stream.script.end);
    }
  }
}, 1);

/** A new buffer: the last one may still be on its way. */
function stampChunk(): Buffer {
  const chunk = Buffer.from(CHAT_CHUNK);
  chunk.write(formatStamp(), CHUNK_PREFIX.length, 'latin1');
  return chunk;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const script = request.url === '/v1/messages' ? MESSAGES : CHAT;
    answer(Buffer.concat(chunks).toString('latin1'), script, response);
  });
});

function answer(body: string, script: Script, response: ServerResponse): void {
  const match = SSE_MODEL.exec(body);
  if (!match) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
    response.end(ANSWER);
    return;
  }
  const everyMs = Number(match[2]);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(script.opening);
  // Streams that start together would otherwise all write in the same millisecond.
  const dueMs = performance.now() + Math.random() * everyMs;
  const stream = { response, script, everyMs, left: Number(match[1]) - 1, dueMs };
  streams.add(stream);
  response.on('close', () => streams.delete(stream));
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
