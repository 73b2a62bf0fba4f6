import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { KEYS, SECRETS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

type Claims = Readonly<Record<string, unknown>>;

export const forgeSessions: Attack = {
  threats: ['T10'],
  title: 'no forged, altered or foreign token opens a session',
  async run({ deployment }) {
    const { member, administrator } = await createTwoUsers(deployment);
    const forgeries = listForgeries(member.jwt, administrator.jwt);
    for (const [what, token] of forgeries) {
      const response = await fetch(`${deployment.consoleUrl}/api/v1/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status, `a session by ${what}`).toBe(401);
    }
    const { status } = await request(deployment, '/v1/models', {
      headers: { authorization: `Bearer ${administrator.jwt}` },
    });
    expect(status, 'a session of the Console at the gateway').toBe(401);
  },
};

function listForgeries(memberJwt: string, administratorJwt: string): readonly (readonly [string, string])[] {
  const [header = '', payload = '', signature = ''] = memberJwt.split('.');
  const [, administratorPayload = ''] = administratorJwt.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  const kept = JSON.parse(Buffer.from(header, 'base64url').toString()) as Claims;
  const past = Math.floor(Date.now() / 1_000) - 60;
  return [
    ["another's claims under this signature", `${header}.${administratorPayload}.${signature}`],
    ['no algorithm', `${encode({ ...kept, alg: 'none' })}.${administratorPayload}.`],
    ['an algorithm in capitals', `${encode({ ...kept, alg: 'NONE' })}.${administratorPayload}.`],
    ['a key of its own', sign({ ...kept, jwk: { kty: 'oct', k: 'AAAA' } }, claims, 'AAAA')],
    ['an empty secret', sign(kept, claims, '')],
    ['a guessed secret', sign(kept, claims, 'secret')],
    ['an API key', KEYS.main],
    ['the end in the past', sign(kept, { ...claims, exp: past }, SECRETS.jwt)],
    ['another issuer', sign(kept, { ...claims, iss: 'somebody' }, SECRETS.jwt)],
    ['two issuers', sign(kept, { ...claims, iss: [claims.iss, 'x'] }, SECRETS.jwt)],
    ['another audience', sign(kept, { ...claims, aud: 'gateway' }, SECRETS.jwt)],
    ['no end', sign(kept, { ...claims, exp: undefined }, SECRETS.jwt)],
    ['no subject', sign(kept, { ...claims, sub: undefined }, SECRETS.jwt)],
    ['half of it', memberJwt.slice(0, -8)],
    ['nothing', ''],
  ];
}

function sign(header: Claims, claims: Claims, secret: string): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function encode(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
