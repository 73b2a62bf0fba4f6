import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HoldRequest } from '@mg/contract';
import { createGate, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { HttpUpstream, type UpstreamCall, type UpstreamRequest } from '@mg/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallsInFlight } from '../access/calls-in-flight.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CALLS = 16;
/** What one call's stage is made to take. */
const WORK_MS = 2;
/** Calls that may go through a stage in one turn of the event loop: what it has room for, in its poll phase and after it. */
const IN_A_TURN = 6;

let upstream: FakeUpstream;
let gateway: SmallGateway;
let turn = 0;
let counting: NodeJS.Immediate;

/** Notes in which turn of the event loop a stage is entered. */
class Stage {
  readonly #turns: number[] = [];

  enter(): void {
    this.#turns.push(turn);
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
  }

  get entered(): number {
    return this.#turns.length;
  }

  /** The most calls that went through it in one turn. */
  get mostInATurn(): number {
    const inTurns = [...Map.groupBy(this.#turns, (at) => at).values()];
    return Math.max(...inTurns.map(({ length }) => length));
  }
}

class SlowToBegin extends CallsInFlight {
  readonly stage = new Stage();

  override begin(tokenId: string): void {
    this.stage.enter();
    super.begin(tokenId);
  }
}

class SlowToSend extends HttpUpstream {
  readonly stage = new Stage();

  override call(request: UpstreamRequest): UpstreamCall {
    this.stage.enter();
    return super.call(request);
  }
}

const inFlight = new SlowToBegin();
const sending = new SlowToSend('crowds');
const held = createGate();
let holds = 0;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  gateway = await startSmallGateway('crowds', {
    inFlight,
    upstream: sending,
    wallet: {
      openHold: async (request: HoldRequest) => {
        holds++;
        await held.wait();
        return { granted: request.wanted };
      },
      repriceHold: async () => true,
    } as never,
  });
  gateway.channels = [makeChannel('one', { baseUrl: upstream.url })];
  const count = () => {
    turn++;
    counting = setImmediate(count);
  };
  count();
});
afterEach(async () => {
  clearImmediate(counting);
  await gateway.close();
  await sending.close();
  await upstream.close();
});

describe('calls that come at the same time', () => {
  it('M5: begin, and are sent once their holds are granted, a few in each turn of the event loop', async () => {
    const sockets = await Promise.all(Array.from({ length: CALLS }, () => open(gateway.url)));
    const answers = sockets.map(readStatus);
    for (const socket of sockets) socket.write(writeCall(gateway.key));
    await expect.poll(() => holds).toBe(CALLS);
    expect(inFlight.stage.entered).toBe(CALLS);
    expect(inFlight.stage.mostInATurn).toBeLessThanOrEqual(IN_A_TURN);
    held.open();
    expect(await Promise.all(answers)).toEqual(Array.from({ length: CALLS }, () => 200));
    expect(sending.stage.entered).toBe(CALLS);
    expect(sending.stage.mostInATurn).toBeLessThanOrEqual(IN_A_TURN);
  });
});

/** A connection that has been used: new ones are accepted one in a turn. */
async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: gateway\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

function writeCall(key: string): string {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] });
  return [
    'POST /v1/chat/completions HTTP/1.1',
    'host: gateway',
    'connection: close',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function readStatus(socket: Socket): Promise<number> {
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
  return Number(answer.split(' ', 2)[1]);
}
