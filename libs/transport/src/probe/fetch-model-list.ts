import { addHop, HOPS_HEADER, type ProbeOutcome } from '@mg/contract';
import { type Dispatcher, request } from 'undici';
import { createAgent } from '../create-agent.js';
import { explainFailure } from '../upstream/explain-failure.js';
import { explainAnswer } from './explain-answer.js';

/** A finished request for a list, with its credential. */
interface ModelListRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

interface ModelListLimits {
  readonly connectMs: number;
  /** Until the end of the answer. */
  readonly totalMs: number;
}

/** The longest lists, of those who sell everybody's models, have half of that. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Asks an upstream for its list of models, once. Redirects are not followed: the credential goes to the channel's own
 * address alone. Never throws.
 *
 * @param installation name that the request carries, so that a channel which points back here is recognised.
 * @returns with the answer's JSON where the upstream gave some.
 */
export async function fetchModelList(
  { url, headers }: ModelListRequest,
  { connectMs, totalMs }: ModelListLimits,
  installation: string,
): Promise<ProbeOutcome & { readonly json?: unknown }> {
  const startedAt = performance.now();
  const outcome = (ok: boolean, status: number | null, message: string): ProbeOutcome => ({
    ok,
    latency_ms: Math.round(performance.now() - startedAt),
    status,
    message,
  });
  const dispatcher = createAgent({ connect: { timeout: connectMs }, pipelining: 0 });
  try {
    const reply = await request(url, {
      headers: {
        'accept-encoding': 'identity',
        'user-agent': 'model-gateway',
        ...headers,
        [HOPS_HEADER]: addHop(undefined, installation),
      },
      signal: AbortSignal.timeout(totalMs),
      dispatcher,
    });
    const text = await readWithin(reply);
    const { statusCode: status } = reply;
    if (text === undefined) return outcome(false, status, `The list is longer than ${MOST_BYTES} bytes.`);
    if (status !== 200) return outcome(false, status, explainAnswer(status, text));
    const json = parseJson(text);
    if (json === undefined) return outcome(false, status, 'The upstream answered no JSON.');
    return { ...outcome(true, status, 'The upstream answered.'), json };
  } catch (error) {
    return outcome(false, null, `${explainFailure(error).message}.`);
  } finally {
    void dispatcher.destroy();
  }
}

async function readWithin({ body }: Dispatcher.ResponseData): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
