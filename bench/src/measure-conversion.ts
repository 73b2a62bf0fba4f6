import { findCodec, findUpstreamProtocol, type ProtocolName } from '@mg/protocols';
import { buildAgentBody } from './agent-body.js';
import { percentile } from './statistics.js';

/** One request's way out of the client's protocol into another, as the gateway goes it. */
export interface ConversionTime {
  readonly from: ProtocolName;
  readonly to: ProtocolName;
  readonly bodyBytes: number;
  /** From the body's bytes to the bytes for the upstream, in milliseconds. */
  readonly ms: number;
}

const WARM_UP_RUNS = 200;
const RUNS = 200;
/** The pairs are measured in turns: a machine whose speed changes within seconds is not slow for one of them alone. */
const ROUNDS = 10;
const PAIRS: readonly (readonly [ProtocolName, ProtocolName])[] = [
  ['openai-chat', 'anthropic-messages'],
  ['anthropic-messages', 'openai-chat'],
  ['openai-chat', 'gemini-generate'],
  ['openai-chat', 'openai-responses'],
];

/**
 * Converts a coding agent's request of 50 KB between protocols, again and again in this process. Of many runs the
 * fastest tenth counts: whatever else the machine does can only make one slower.
 */
export function measureConversions(): ConversionTime[] {
  const pairs = PAIRS.map(([from, to]) => ({ from, to, body: buildAgentBody(from), runsMs: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { from, to, body, runsMs } of pairs) {
      for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
        const startMs = performance.now();
        convert(body, from, to);
        if (run >= 0) runsMs.push(performance.now() - startMs);
      }
    }
  }
  return pairs.map(({ from, to, body, runsMs }) => ({
    from,
    to,
    bodyBytes: body.length,
    ms: percentile(runsMs, 0.1),
  }));
}

function convert(body: Buffer, from: ProtocolName, to: ProtocolName): Buffer {
  const parsed = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  const request = findCodec(from).decodeRequest(parsed, 'some-model', true);
  const encoded = findCodec(to).encodeRequest(request, {
    upstreamModel: 'some-model',
    channelType: 'bench',
    traits: {},
    client: findUpstreamProtocol(from),
    dropped: { add: () => undefined },
  });
  return Buffer.from(JSON.stringify(encoded));
}
