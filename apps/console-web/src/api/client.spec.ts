import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './answer.js';
import { api } from './client.js';
import { session } from './session.js';

const HOUR_SECONDS = 3_600;

/** Requests that were sent, as `METHOD path token`. */
let sent: string[];
/** What the API answers to a path, asked in turn; the last answer stays. */
let answers: Record<string, (() => Response)[]>;

function tokens(access: string, expiresIn = HOUR_SECONDS) {
  return () => Response.json({ access_token: access, refresh_token: `r-${access}`, expires_in: expiresIn });
}

function refusal(status: number, code: string) {
  const detail = { code, message: 'No.', request_id: 'id-1', param: 'name' };
  return () => Response.json({ detail }, { status });
}

beforeEach(() => {
  for (const storage of ['sessionStorage', 'localStorage']) {
    const kept = new Map<string, string>();
    vi.stubGlobal(storage, {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  }
  vi.stubGlobal('fetch', async (path: string, request: RequestInit) => {
    const token = new Headers(request.headers).get('authorization')?.replace('Bearer ', '') ?? '-';
    sent.push(`${request.method ?? 'GET'} ${path} ${token}`);
    const [next, ...later] = answers[path] ?? [];
    if (next === undefined) throw new TypeError('fetch failed');
    if (later.length > 0) answers[path] = later;
    return next();
  });
  session.end();
  sent = [];
  answers = { '/api/v1/auth/login': [tokens('a')], '/api/v1/me': [() => Response.json({ id: 'u' })] };
});

afterEach(() => void vi.unstubAllGlobals());

describe('the client', () => {
  it('calls as the user who signed in', async () => {
    await session.open('a@b.c', 'password');
    await expect(api.get('/api/v1/me')).resolves.toEqual({ id: 'u' });
    expect(sent.at(-1)).toBe('GET /api/v1/me a');
  });

  it('renews a session near its end once, however many ask', async () => {
    answers['/api/v1/auth/login'] = [tokens('a', 10)];
    answers['/api/v1/auth/refresh'] = [tokens('b')];
    await session.open('a@b.c', 'password');
    await Promise.all([api.get('/api/v1/me'), api.get('/api/v1/me'), api.get('/api/v1/me')]);
    expect(sent.filter((line) => line.includes('refresh'))).toHaveLength(1);
    expect(sent.filter((line) => line.endsWith('/me b'))).toHaveLength(3);
  });

  it('renews a session that ended early, and asks again', async () => {
    answers['/api/v1/me'] = [refusal(401, 'unauthenticated'), () => Response.json({ id: 'u' })];
    answers['/api/v1/auth/refresh'] = [tokens('b')];
    await session.open('a@b.c', 'password');
    await expect(api.get('/api/v1/me')).resolves.toEqual({ id: 'u' });
    expect(sent.slice(-3).map((line) => line.split(' ').slice(1).join(' '))).toEqual([
      '/api/v1/me a',
      '/api/v1/auth/refresh -',
      '/api/v1/me b',
    ]);
  });

  it('forgets a session that is over, and says so', async () => {
    answers['/api/v1/me'] = [refusal(401, 'unauthenticated')];
    answers['/api/v1/auth/refresh'] = [refusal(401, 'unauthenticated')];
    await session.open('a@b.c', 'password');
    const listener = vi.fn<() => void>();
    session.watch(listener);
    await expect(api.get('/api/v1/me')).rejects.toThrow(ApiError);
    expect(session.isOpen).toBe(false);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('keeps the session when the server is away for a while', async () => {
    answers['/api/v1/auth/login'] = [tokens('a', 10)];
    await session.open('a@b.c', 'password');
    await expect(api.get('/api/v1/me')).rejects.toMatchObject({ code: 'unreachable', status: 0 });
    expect(session.isOpen).toBe(true);
  });

  it('reports an error with its message, field and request id', async () => {
    answers['/api/v1/tokens'] = [refusal(400, 'invalid_request')];
    await session.open('a@b.c', 'password');
    await expect(api.post('/api/v1/tokens', { body: { name: '' } })).rejects.toMatchObject({
      message: 'No.',
      param: 'name',
      requestId: 'id-1',
    });
  });
});
