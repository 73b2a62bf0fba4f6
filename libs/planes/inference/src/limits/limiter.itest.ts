import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTcpProxy, startTestServices, type TcpProxy, type TestServices } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LimitedGateway, limitsOf, openGateway, take, warmUp } from './testing/limited-gateways.js';

const SECRET = 'of this installation';

let services: TestServices;
let proxy: TcpProxy;
let gateways: LimitedGateway[];

beforeAll(async () => {
  services = await startTestServices();
  proxy = await createTcpProxy(services.redisUrl);
  gateways = ['a', 'b', 'c', 'd'].map((name) => openGateway(proxy.url, SECRET, `gateway/${name}`));
  await warmUp(gateways);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await proxy.close();
  await services.stop();
});

type Limited = ReturnType<typeof limitsOf>;

/**
 * Has every gateway ask again and again, eight at a time each, until it is refused again and again or for so long. Answers how
 * many permits were given.
 *
 * @param tokens that each call may use.
 */
async function hammer(limits: Limited, forMs: number, refusals = 20, tokens = 0): Promise<number> {
  let given = 0;
  const untilMs = performance.now() + forMs;
  const ask = async (gateway: LimitedGateway) => {
    let refused = 0;
    while (performance.now() < untilMs && refused < refusals) {
      const permit = await take(gateway, limits, tokens);
      if (typeof permit === 'number') {
        refused++;
        await sleep(10);
      } else {
        given++;
        refused = 0;
      }
    }
  };
  await Promise.all(gateways.flatMap((gateway) => Array.from({ length: 8 }, () => ask(gateway))));
  return given;
}

/**
 * Has every gateway run calls of a few milliseconds, for so long, and on until so many ran at once, which a busy machine may
 * take some time for. Answers the most that ran at once, and how many there were.
 */
async function runCalls(
  limits: Limited,
  forMs: number,
  awaited = 0,
): Promise<{ most: number; calls: number }> {
  let [running, most, calls] = [0, 0, 0];
  const untilMs = performance.now() + forMs;
  const latestMs = untilMs + 30_000;
  const goesOn = () => performance.now() < (most < awaited ? latestMs : untilMs);
  const call = async (gateway: LimitedGateway) => {
    while (goesOn()) {
      const permit = await take(gateway, limits);
      if (typeof permit === 'number') {
        await sleep(2);
        continue;
      }
      most = Math.max(most, ++running);
      calls++;
      await sleep(1 + Math.random() * 10);
      running--;
      permit.end(0);
    }
  };
  await Promise.all(gateways.flatMap((gateway) => Array.from({ length: 8 }, () => call(gateway))));
  return { most, calls };
}

/** Has Redis forget all that it knows. */
async function loseEverything(): Promise<void> {
  const { hostname, port, username, password } = new URL(services.redisUrl);
  const socket = connect(Number(port), hostname);
  if (password !== '') socket.write(`AUTH ${username === '' ? 'default' : username} ${password}\r\n`);
  socket.end('FLUSHALL\r\n');
  await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
}

describe('rates over four gateways', () => {
  it.each([3, 100, 997])('give exactly %i requests a minute', async (rpm) => {
    expect(await hammer(limitsOf({ rpm }), 30_000)).toBe(rpm);
  });

  it('give tokens by the worst case, and give back what was not used', async () => {
    const limits = limitsOf({ tpm: 10_000 });
    const [one, other] = gateways;
    if (!one || !other) throw new Error('no gateways');
    const permits = [await take(one, limits, 6_000), await take(one, limits, 4_000)];
    expect(await take(other, limits, 1)).toEqual(expect.any(Number));
    for (const permit of permits) if (typeof permit !== 'number') permit.end(1_000);
    await expect.poll(() => take(other, limits, 8_000)).toHaveProperty('end');
    expect(await take(other, limits, 1)).toBeGreaterThan(50_000);
  });

  it('take from all limits of a call or from none', async () => {
    const [wide, narrow] = [limitsOf({ rpm: 10 }), limitsOf({ rpm: 1 })];
    const [one, other] = gateways;
    if (!one || !other) throw new Error('no gateways');
    expect(await take(one, [...wide, ...narrow])).toHaveProperty('end');
    for (let asked = 0; asked < 20; asked++) await take(other, [...wide, ...narrow]);
    expect(await hammer(wide, 5_000)).toBe(9);
  });

  it('take ahead while a limit is ample, and ask less often than they are asked', async () => {
    const [one] = gateways;
    if (!one) throw new Error('no gateways');
    const limits = limitsOf({ rpm: 100_000, tpm: 100_000_000, concurrency: 5_000 });
    const before = one.asked;
    for (let call = 0; call < 2_000; call++) {
      const permit = await take(one, limits, 100);
      if (typeof permit === 'number') throw new Error('refused');
      permit.end(50);
    }
    expect(one.asked - before).toBeLessThan(400);
  });
});

describe('concurrency over four gateways', () => {
  it.each([1, 5, 40])('is %i calls at most, and as many', async (concurrency) => {
    const reached = Math.min(concurrency, 32);
    const { most, calls } = await runCalls(limitsOf({ concurrency }), 1_500, reached);
    expect(most).toBe(reached);
    expect(calls).toBeGreaterThan(10);
  });

  it('is free again once the next epoch of a killed gateway is known', async () => {
    const [other] = gateways;
    if (!other) throw new Error('no gateways');
    const killed = await createTcpProxy(services.redisUrl);
    const one = openGateway(killed.url, SECRET, 'gateway/e');
    await warmUp([one]);
    const limits = limitsOf({ concurrency: 2 });
    await take(one, limits);
    await take(one, limits);
    expect(await take(other, limits)).toBe(1_000);
    await killed.cut();
    expect(await take(other, limits)).toBe(1_000);
    const next = openGateway(proxy.url, SECRET, 'gateway/e');
    await expect.poll(() => take(other, limits)).toHaveProperty('end');
    await Promise.all([one.close(), next.close()]);
  });
});

describe('while Redis is unavailable', () => {
  it('rates and concurrency stay within their limits, and are never nothing', async () => {
    const [rate, calls] = [limitsOf({ rpm: 400 }), limitsOf({ concurrency: 12 })];
    const rated = hammer(rate, 6_000, Infinity);
    const counted = hammer(limitsOf({ tpm: 40_000, rpd: 10_000 }), 6_000, Infinity, 100);
    const running = runCalls(calls, 6_000);
    await sleep(1_500);
    await proxy.cut();
    const fresh = limitsOf({ rpm: 20 });
    await sleep(500);
    expect(await hammer(fresh, 5_000)).toBe(20);
    // Fewer than there are gateways: the first of them have one each.
    expect(await hammer(limitsOf({ rpm: 3 }), 5_000)).toBe(3);
    expect((await runCalls(limitsOf({ concurrency: 1 }), 100, 1)).most).toBe(1);
    // A call that may use more than a gateway's part takes all of that.
    expect(await hammer(limitsOf({ tpm: 8_000 }), 5_000, 20, 5_000)).toBe(4);
    expect((await runCalls(limitsOf({ concurrency: 7 }), 500, 7)).most).toBe(7);
    await sleep(500);
    await proxy.mend();
    expect(await rated).toBeLessThanOrEqual(400 * 1.02);
    expect((await counted) * 100).toBeLessThanOrEqual(40_000 * 1.02);
    expect((await running).most).toBeLessThanOrEqual(12);
    expect(await hammer(fresh, 5_000)).toBe(0);
  });

  it('what one gateway used before is known to those that never asked for the limit', async () => {
    const [one] = gateways;
    if (!one) throw new Error('no gateways');
    const [rate, daily, calls] = [
      limitsOf({ rpm: 60 }),
      limitsOf({ rpd: 60 }),
      limitsOf({ concurrency: 60 }),
    ];
    const taken = [rate, daily, calls].map(async (limits) => {
      for (let asked = 0; asked < 50; asked++) expect(await take(one, limits)).toHaveProperty('end');
    });
    await Promise.all(taken);
    await sleep(1_000);
    await proxy.cut();
    const given = [rate, daily, calls].map((limits) => hammer(limits, 3_000));
    const [ofRate = 0, ofDaily = 0, ofCalls = 0] = await Promise.all(given);
    await proxy.mend();
    await warmUp(gateways);
    // Ten are free, but not for the gateway that has used more than its part.
    for (const rest of [ofRate, ofDaily, ofCalls]) {
      expect(rest).toBeGreaterThan(0);
      expect(rest).toBeLessThanOrEqual(10);
    }
  });

  it('a gateway that starts keeps to its part of what others report elsewhere, and shares once Redis is there', async () => {
    const away = await createTcpProxy(services.redisUrl);
    await away.cut();
    const started = openGateway(away.url, SECRET, 'gateway/f', async () => ({ gateways: 4, rank: 3 }));
    await sleep(50);
    const countGiven = async (limits: Limited) => {
      let given = 0;
      while (typeof (await take(started, limits)) !== 'number') given++;
      return given;
    };
    expect(await countGiven(limitsOf({ rpm: 22 }))).toBe(5);
    expect(await countGiven(limitsOf({ concurrency: 3 }))).toBe(0);
    await away.mend();
    await warmUp([started]);
    expect(await countGiven(limitsOf({ rpm: 22 }))).toBe(22);
    await started.close();
    await away.close();
  });

  it('what a gateway used that comes back later than another is not given out again', async () => {
    const ways = [await createTcpProxy(services.redisUrl), await createTcpProxy(services.redisUrl)];
    const pair = ways.map(({ url }, index) => openGateway(url, 'of two gateways', `gateway/${index}`));
    await warmUp(pair);
    const limits = limitsOf({ rpm: 20 });
    const ask = async (forMs: number) => {
      let given = 0;
      const untilMs = performance.now() + forMs;
      do {
        for (const gateway of pair) if (typeof (await take(gateway, limits)) !== 'number') given++;
        await sleep(10);
      } while (performance.now() < untilMs);
      return given;
    };
    // Each of them knows how many there are.
    expect(await ask(0)).toBe(2);
    await sleep(1_500);
    await Promise.all(ways.map((way) => way.cut()));
    expect(await ask(2_500)).toBe(18);
    await ways[0]?.mend();
    const again = ask(5_000);
    await sleep(1_500);
    await ways[1]?.mend();
    expect(await again).toBe(0);
    await Promise.all([...pair, ...ways].map((one) => one.close()));
  });

  it('and has lost everything when it is back, limits hold', async () => {
    const [rate, calls] = [limitsOf({ rpm: 300 }), limitsOf({ concurrency: 10 })];
    const first = await hammer(rate, 10_000);
    const running = runCalls(calls, 5_000);
    await sleep(1_000);
    await loseEverything();
    expect(first + (await hammer(rate, 4_000, Infinity))).toBeLessThanOrEqual(300 * 1.02);
    expect((await running).most).toBeLessThanOrEqual(10);
  });
});
