import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGate, FakeBatchApis, isObject, type Json } from '@mg/testkit';
import { answerAtMaximumCost, type CostlyAnswer } from './answer-at-maximum-cost.js';
import type { OverdrawCase } from './overdraw-case.js';

/** A provider on the loopback address that bills the most expensive reading of whatever it is asked. */
export interface MaximumCostProvider {
  readonly url: string;
  /** Begins a new bill for calls of this trick. */
  expectTrick(trick: OverdrawCase): void;
  /** Calls since then, and what they cost, in nano-dollars. */
  readonly bill: { readonly calls: number; readonly cost: bigint };
  /** Streams whose caller has neither left nor seen their end. */
  readonly open: number;
  /** Goes on with streams that wait for their callers to leave. */
  goOn(): void;
  close(): Promise<void>;
}

/** @throws Error when the address cannot be listened on. */
export async function startMaximumCostProvider(): Promise<MaximumCostProvider> {
  let trick: OverdrawCase | undefined;
  let bill = { calls: 0, cost: 0n };
  let open = 0;
  let gate = createGate();
  const batches = new FakeBatchApis();
  const add = (calls: number, cost: bigint) => {
    bill = { calls: bill.calls + calls, cost: bill.cost + cost };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const rawBody = await readBytes(request);
    if (await batches.serve(request, rawBody, response)) return;
    const body = await readArrival(request, rawBody);
    const costly = trick && answerAtMaximumCost(request.method ?? '', request.url ?? '', body, trick);
    if (!trick || !costly) return void response.writeHead(404).end('{}');
    add(costly.isPoll ? 0 : 1, 0n);
    if (!costly.stream) {
      add(0, costly.cost);
      return sendWhole(costly, response);
    }
    open++;
    response.once('close', () => void open--);
    add(0, await sendStream({ ...costly, stream: costly.stream }, trick, response, () => gate.wait()));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expectTrick: (next) => {
      trick = next;
      bill = { calls: 0, cost: 0n };
      gate = createGate();
      if (!next.leaves) gate.open();
    },
    get bill() {
      return bill;
    },
    get open() {
      return open;
    },
    goOn: () => gate.open(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendWhole({ body }: CostlyAnswer, response: ServerResponse): void {
  const type = Buffer.isBuffer(body) ? 'audio/mpeg' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

/**
 * Waits before the beginning, or before the end, until its caller has left or was to have left.
 *
 * @returns what it costs, in nano-dollars.
 */
async function sendStream(
  { stream, cost }: CostlyAnswer & { readonly stream: NonNullable<CostlyAnswer['stream']> },
  { leaves }: OverdrawCase,
  response: ServerResponse,
  wait: () => Promise<void>,
): Promise<bigint> {
  const left = once(response, 'close');
  if (leaves === 'before') await Promise.race([wait(), left]);
  if (response.destroyed) return stream.costBefore;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(stream.begin);
  if (leaves === 'within') await Promise.race([wait(), left]);
  if (response.destroyed) return stream.costWhenLeft;
  response.end(stream.end);
  return cost;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The texts of a form as one object, or the JSON of a body. */
async function readArrival(request: IncomingMessage, bytes: Buffer): Promise<Json> {
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    return Object.fromEntries(
      [...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    );
  }
  const value: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  return isObject(value) ? value : {};
}
