import { type Channel, CHANNEL_TEST_MS, type ProbeOutcome } from '@mg/contract';
import { findChatProtocol, runAtOnce } from '@mg/protocols';
import { findProvider } from '@mg/providers';
import { probeChannel, type ProbeTarget } from '@mg/transport';
import { addressRequest, type Credentials } from '../../call/address-request.js';
import type { ChatEndpoint, ChatEndpoints } from '../../call/chat-endpoints.js';
import { encodeForChannel } from '../chat/encode-for-channel.js';
import { failure, findKeyProblem, hideSecrets } from './probe-outcome.js';

/** Some models refuse a smaller cap than this. */
const ANSWER_TOKENS = 16;

export interface TestParts extends Credentials {
  /** Finds a channel with its credentials, enabled or not. */
  readonly findChannel: (id: string) => Promise<Channel | undefined>;
  readonly chatEndpoints: ChatEndpoints;
  /** Name of this installation, for {@link probeChannel}. */
  readonly installation: string;
}

/** Tries a channel with one tiny real call and says what came of it. Never rejects. @param apiKey the next in turn when left out. */
export async function testChannel(
  parts: TestParts,
  id: string,
  upstreamModel: string,
  apiKey?: string,
): Promise<ProbeOutcome> {
  try {
    const channel = await parts.findChannel(id);
    if (!channel) return failure('The channel is gone.');
    const problem = findKeyProblem(channel);
    if (problem !== undefined) return failure(problem);
    if (!findProvider(channel.type)) {
      return failure(`There is no channel type "${channel.type}" in this version.`);
    }
    const endpoint = parts.chatEndpoints.find(channel, 'chat', upstreamModel, 'openai-chat');
    if (!endpoint) {
      return failure(`Channels of type ${channel.type} serve no chat model "${upstreamModel}".`);
    }
    const outcome = await probe({ channel, endpoint, upstreamModel, apiKey }, parts);
    return { ...outcome, message: hideSecrets(outcome.message, channel) };
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

/** Whom a test asks, and with which key; the next in turn when left out. */
interface Tested {
  readonly channel: Channel;
  readonly endpoint: ChatEndpoint;
  readonly upstreamModel: string;
  readonly apiKey: string | undefined;
}

async function probe(tested: Tested, parts: TestParts): Promise<ProbeOutcome> {
  const { channel } = tested;
  try {
    const target = await prepare(tested, parts);
    return await probeChannel(
      target,
      {
        connectMs: channel.timeouts.connectMs,
        firstByteMs: CHANNEL_TEST_MS,
        idleMs: CHANNEL_TEST_MS,
        totalMs: CHANNEL_TEST_MS,
      },
      parts.installation,
    );
  } catch (error) {
    return failure(
      `The request could not be made: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** The smallest request there is, in the protocol that the surface speaks. */
async function prepare(
  { channel, endpoint, upstreamModel, apiKey }: Tested,
  credentials: Credentials,
): Promise<ProbeTarget> {
  const client = findChatProtocol('openai-chat');
  const ping = client.codec.decodeRequest(
    { model: upstreamModel, max_tokens: ANSWER_TOKENS, messages: [{ role: 'user', content: 'ping' }] },
    upstreamModel,
    false,
  );
  const target = { endpoint, channel, upstreamModel, client, dropped: { add: () => undefined } };
  const bytes = Buffer.from(JSON.stringify(runAtOnce(encodeForChannel(ping, target))));
  const { surface } = endpoint;
  const call = { model: upstreamModel, stream: false, settings: channel.settings };
  const { answer } = surface;
  if (answer) return { answer: (signal) => answer({ body: bytes, path: surface.path(call), signal }) };
  const body = { contentType: 'application/json', bytes };
  return addressRequest({ endpoint, channel, apiKey, call, body, passedHeaders: {} }, credentials);
}
