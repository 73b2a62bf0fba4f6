import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { ADMIN, KEYS } from '../deployment/credentials.js';
import type { Attack, AttackTarget } from './attack.js';
import { LARGE_MEMBERS, type LargeMember, type MemberGroup } from './large-members.js';
import { type Fill, PAYLOADS } from './payloads.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { type RunStep, watchHealth } from './watch-health.js';
import { WIDE_BODIES } from './wide-bodies.js';

const MEBIBYTE = 1024 * 1024;
const AT_ONCE = 8;
/**
 * Of the endpoints that are used most. What is over half a megabyte is read in steps, and the largest leaves room for what stands
 * around the filling: 20 MB is the most that is read.
 */
const SIZES = { short: [0.6], full: [1, 19.9] };
/** Of each member of each endpoint, those that are used most among them. */
const MEMBER_SIZE = { short: 0.6, full: 10 };
const ANSWERED_WITHIN_MS = 60_000;
const JSON_TYPE = 'application/json';
/** Refusals are answers too; nothing may be a failure of the gateway. */
const ANSWERS = [200, 400, 402, 404, 413, 415, 422, 429, 503];

const FILLS: readonly (readonly [name: string, fill: Fill])[] = Object.entries(PAYLOADS);

const chat = (content: string) =>
  `{"model":"plain","max_tokens":16,"messages":[{"role":"user","content":${content}}]}`;

const BODIES: readonly (readonly [name: string, makeBody: Fill])[] = [
  ...FILLS.map(([name, fill]) => [name, (bytes: number) => chat(fill(bytes))] as const),
  ['comments', (bytes) => `{${'/* a comment */\n'.repeat(bytes / 16)}"model":"plain"}`],
];

/** The endpoints that are used most; whatever one does not know of such a body, it refuses. */
const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/responses',
  '/v1beta/models/plain:countTokens',
  '/v1/embeddings',
  '/v1/images/generations',
];

const GROUPS: readonly MemberGroup[] = [...new Set(LARGE_MEMBERS.map(({ group }) => group))];

/** One body and where it goes. */
interface Order {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly makeBody: () => Buffer;
}

export const holdEventLoop: Attack = {
  threats: ['T25'],
  title: 'no body holds the event loop, whatever it is made of',
  timeoutMs: { short: 120_000, full: 1_800_000 },
  run: async (target) => {
    // Of a session of its own, which lasts for all of it.
    const { jwt } = await ConsoleClient.login(target.deployment, ADMIN);
    await watchHealth(target, async (runStep) => {
      await attackMostUsed(runStep, target, jwt);
      await attackMembers(runStep, target, jwt);
      const wide = WIDE_BODIES.map((one) => ({ ...one, contentType: JSON_TYPE }));
      await runStep('thousands of items', () => send(wide, target, jwt));
    });
  },
};

/** Each kind of body at each path, twice; short, a kind goes to two paths, the next one to the next two. */
async function attackMostUsed(runStep: RunStep, target: AttackTarget, jwt: string): Promise<void> {
  for (const size of target.full ? SIZES.full : SIZES.short) {
    for (const [index, [name, makeBody]] of BODIES.entries()) {
      const body = Buffer.from(makeBody(size * MEBIBYTE));
      const order = { name, contentType: JSON_TYPE, makeBody: () => body };
      const paths = target.full
        ? PATHS.flatMap((path) => [path, path])
        : PATHS.filter((_, place) => (place + 2 * index) % PATHS.length < 2);
      await runStep(`${size} MB of ${name}`, () =>
        send(
          paths.map((path) => ({ ...order, path })),
          target,
          jwt,
        ),
      );
    }
  }
}

/** Each kind of filling in each member; short, each member has one kind, the next one the next. */
async function attackMembers(runStep: RunStep, target: AttackTarget, jwt: string): Promise<void> {
  const make = (member: LargeMember, fill: Fill, size: number): Order => ({
    ...member,
    makeBody: () => member.makeBody(fill((Math.min(size, member.most) / member.values) * MEBIBYTE)),
  });
  if (!target.full) {
    const orders = LARGE_MEMBERS.flatMap((member, index) => {
      const [, fill] = FILLS[index % FILLS.length] ?? [];
      return fill ? [make(member, fill, MEMBER_SIZE.short)] : [];
    });
    return runStep('every member', () => send(orders, target, jwt));
  }
  for (const [name, fill] of FILLS) {
    for (const group of GROUPS) {
      const members = LARGE_MEMBERS.filter((member) => member.group === group);
      const orders = members.map((member) => make(member, fill, MEMBER_SIZE.full));
      await runStep(`${name} in ${group}`, () => send(orders, target, jwt));
    }
  }
}

/** Sends bodies, eight at a time. What the provider has got of them is forgotten: it would be gigabytes. */
async function send(orders: readonly Order[], target: AttackTarget, jwt: string): Promise<void> {
  const { gatewayUrl, consoleUrl, upstream } = target.deployment;
  await forEachAtOnce(orders, AT_ONCE, async ({ path, name, contentType, makeBody }) => {
    const isConsole = path.startsWith('/api/v1/');
    const answer = await request({ gatewayUrl: isConsole ? consoleUrl : gatewayUrl }, path, {
      method: 'POST',
      headers: { authorization: `Bearer ${isConsole ? jwt : KEYS.main}`, 'content-type': contentType },
      body: makeBody(),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    }).catch((error: unknown) => {
      // A body that is refused before its end is not read to its end: the connection may break.
      if (error instanceof TypeError) return { status: 400, text: '' };
      throw new Error(`${path} (${name}) was not answered`, { cause: error });
    });
    const { status, text } = answer;
    expect(ANSWERS, `${path} (${name}) was answered with ${status}: ${text.slice(0, 300)}`).toContain(status);
  });
  upstream.reset();
}
