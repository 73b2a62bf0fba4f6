import { formatUsd, type Usage } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import type { BodyReader } from '@mg/transport';
import { release, settle } from '../call/settle.js';
import type { Kit } from '../kit.js';
import type { ExchangeCall } from './exchange-call.js';
import { measureExchange } from './measure-exchange.js';
import type { Passage } from './read-answers.js';

/**
 * Passes an answer on as it comes, unread. Its price is known before, so the header tells it. A caller who leaves pays for
 * what was asked; an answer that the upstream breaks off costs nothing, and the client sees its connection break.
 */
export async function relayPassage(passage: Passage, call: ExchangeCall, kit: Kit): Promise<void> {
  const { record, hold } = call;
  const { usage, estimated } = await measureExchange(call.exchange, hold, undefined, kit.counter);
  openAnswer(passage, call, usage);
  const ending = await passOn(passage, call);
  record.status = 200;
  record.reason = ending;
  if (ending === 'upstream_failed') {
    record.errorCode = 'upstream_error';
    release(hold, kit);
    return;
  }
  if (ending === 'client_aborted') kit.metrics.clientAborts.inc();
  settle(record, hold, usage, estimated, kit);
}

function openAnswer(
  { lane, contentType, contentLength }: Passage,
  { record, hold, client }: ExchangeCall,
  usage: Usage,
): void {
  record.ttftMs = record.elapsedMs();
  client.openStream({
    'content-type': contentType,
    ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
    'x-request-id': record.requestId,
    'x-gateway-cost': formatUsd(costOfCall(usage, hold.price.price).total),
    'x-gateway-latency-ms': String(record.ttftMs),
    ...(lane.dropped ? { 'x-gateway-dropped': lane.dropped.toString() } : {}),
  });
}

type Ending = 'completed' | 'client_aborted' | 'upstream_failed';

function passOn({ body, call }: Passage, { client }: ExchangeCall): Promise<Ending> {
  return new Promise((resolve) => {
    client.watch(() => {
      resolve('client_aborted');
      call.abort();
    });
    const reader: BodyReader = {
      data(chunk) {
        if (!client.write(chunk, () => body.resume())) body.pause();
      },
      end() {
        client.endStream();
        resolve('completed');
      },
      fail() {
        if (!client.left) client.breakOff();
        resolve('upstream_failed');
      },
    };
    body.attach(reader);
  });
}
