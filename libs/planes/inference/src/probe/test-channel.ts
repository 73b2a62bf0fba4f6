import { type Channel, CHANNEL_TEST_MS, type ProbeOutcome } from '@mg/contract';
import { findCodec, openaiChat } from '@mg/protocols';
import { findProvider } from '@mg/providers';
import { scrubSecrets } from '@mg/runtime';
import { probeChannel, type ProbeTarget, type TokenExchange } from '@mg/transport';
import { addressRequest, type ChannelEndpoint, findEndpoint } from '../call/channel-endpoint.js';

const LONGEST_MESSAGE = 512;
/** Some models refuse a smaller cap than this. */
const ANSWER_TOKENS = 16;

export interface TestParts {
  /** Finds a channel with its credentials, enabled or not. */
  readonly findChannel: (id: string) => Promise<Channel | undefined>;
  readonly tokens: TokenExchange;
  /** Name of this installation, for {@link probeChannel}. */
  readonly installation: string;
}

/** Tries a channel with one tiny real call and says what came of it. Never rejects. */
export async function testChannel(
  parts: TestParts,
  id: string,
  upstreamModel: string,
): Promise<ProbeOutcome> {
  try {
    const channel = await parts.findChannel(id);
    if (!channel) return failure('The channel is gone.');
    if (!findProvider(channel.type)) {
      return failure(`There is no channel type "${channel.type}" in this version.`);
    }
    const endpoint = findEndpoint(channel, 'chat', upstreamModel, 'openai-chat');
    if (!endpoint) {
      return failure(`Channels of type ${channel.type} serve no chat model "${upstreamModel}".`);
    }
    const outcome = await probe(channel, endpoint, upstreamModel, parts);
    return { ...outcome, message: hideSecrets(outcome.message, channel) };
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

async function probe(
  channel: Channel,
  endpoint: ChannelEndpoint,
  model: string,
  { tokens, installation }: TestParts,
): Promise<ProbeOutcome> {
  try {
    const target = await aim(channel, endpoint, model, tokens);
    return await probeChannel(
      target,
      {
        connectMs: channel.timeouts.connectMs,
        firstByteMs: CHANNEL_TEST_MS,
        idleMs: CHANNEL_TEST_MS,
        totalMs: CHANNEL_TEST_MS,
      },
      installation,
    );
  } catch (error) {
    return failure(
      `The request could not be made: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** The smallest request there is, in the protocol that the surface speaks. */
async function aim(
  channel: Channel,
  endpoint: ChannelEndpoint,
  model: string,
  tokens: TokenExchange,
): Promise<ProbeTarget> {
  const { surface, traits } = endpoint;
  const ping = openaiChat.decodeRequest(
    { model, max_tokens: ANSWER_TOKENS, messages: [{ role: 'user', content: 'ping' }] },
    model,
    false,
  );
  const encoded = findCodec(surface.protocol).encodeRequest(ping, {
    upstreamModel: model,
    channelType: channel.type,
    traits,
    dropped: { add: () => undefined },
  });
  const body = Buffer.from(JSON.stringify(encoded));
  const call = { model, stream: false, settings: channel.settings };
  const { answer } = surface;
  if (answer) return { answer: (signal) => answer({ body, path: surface.path(call), signal }) };
  return addressRequest({ endpoint, channel, call, body, passedHeaders: {}, tokens });
}

function failure(message: string): ProbeOutcome {
  return { ok: false, latency_ms: 0, status: null, message: scrubSecrets(message).slice(0, LONGEST_MESSAGE) };
}

/** Upstreams like to repeat a refused key in their message. */
function hideSecrets(message: string, { type, apiKeys, settings }: Channel): string {
  const names = findProvider(type)?.secretSettings ?? [];
  const texts = [...apiKeys, ...names.map((name) => settings[name])].filter(
    (secret) => typeof secret === 'string' && secret !== '',
  );
  const hidden = texts.reduce<string>(
    (text, secret) => text.replaceAll(String(secret), '[redacted]'),
    message,
  );
  return scrubSecrets(hidden).slice(0, LONGEST_MESSAGE);
}
