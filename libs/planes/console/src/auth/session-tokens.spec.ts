import { newId } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { SessionTokens } from './session-tokens.js';

const OLD = 'a jwt secret of more than thirty-two characters';
const NEW = 'another jwt secret of more than thirty-two characters';
const CLAIM = { userId: newId(), sessionId: newId(), tokenVersion: 3 };

describe('SessionTokens', () => {
  it('reads what it signed, each kind for itself', async () => {
    const tokens = new SessionTokens(OLD);
    const { access_token: access, refresh_token: refresh } = await tokens.open(CLAIM);
    expect(await tokens.read('access', access)).toEqual(CLAIM);
    expect(await tokens.read('refresh', refresh)).toEqual(CLAIM);
    expect(await tokens.read('access', refresh)).toBeUndefined();
    expect(await new SessionTokens(NEW).read('access', access)).toBeUndefined();
  });

  it('reads the sessions of a second secret, and signs with the first alone', async () => {
    const rotated = new SessionTokens(NEW, OLD);
    const before = await new SessionTokens(OLD).open(CLAIM);
    expect(await rotated.read('access', before.access_token)).toEqual(CLAIM);
    expect(await rotated.read('refresh', before.refresh_token)).toEqual(CLAIM);
    const after = await rotated.open(CLAIM);
    expect(await new SessionTokens(NEW).read('access', after.access_token)).toEqual(CLAIM);
    expect(await new SessionTokens(OLD).read('access', after.access_token)).toBeUndefined();
  });

  it('signs links to one video, which open nothing else', async () => {
    const tokens = new SessionTokens(OLD);
    const claim = { ...CLAIM, taskId: newId() };
    const { token, expiresAt } = await tokens.signVideo(claim);
    expect(await tokens.readVideo(token)).toEqual(claim);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(3_500_000);
    for (const kind of ['access', 'refresh'] as const) expect(await tokens.read(kind, token)).toBeUndefined();
    const { access_token: access } = await tokens.open(CLAIM);
    expect(await tokens.readVideo(access)).toBeUndefined();
  });

  it('takes nothing that neither secret signed', async () => {
    const foreign = await new SessionTokens('a third secret of more than thirty-two characters').open(CLAIM);
    expect(await new SessionTokens(NEW, OLD).read('access', foreign.access_token)).toBeUndefined();
  });
});
