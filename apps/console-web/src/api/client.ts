import { ApiError, reach, readAnswer, readRefusal } from './answer.js';
import type { AnswerOf, PathOf, RequestArgument } from './routes.js';
import { session } from './session.js';

/** What fills a route in, whichever route it is. */
interface AnyRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
}

/** The Console's API, called as the signed-in user. Every method throws `ApiError`. */
export const api = {
  get: <P extends PathOf<'get'>>(path: P, ...[request]: RequestArgument<P, 'get'>) =>
    callApi<AnswerOf<P, 'get'>>('GET', path, request),
  post: <P extends PathOf<'post'>>(path: P, ...[request]: RequestArgument<P, 'post'>) =>
    callApi<AnswerOf<P, 'post'>>('POST', path, { body: {}, ...request }),
  put: <P extends PathOf<'put'>>(path: P, ...[request]: RequestArgument<P, 'put'>) =>
    callApi<AnswerOf<P, 'put'>>('PUT', path, request),
  patch: <P extends PathOf<'patch'>>(path: P, ...[request]: RequestArgument<P, 'patch'>) =>
    callApi<AnswerOf<P, 'patch'>>('PATCH', path, request),
  delete: <P extends PathOf<'delete'>>(path: P, ...[request]: RequestArgument<P, 'delete'>) =>
    callApi<AnswerOf<P, 'delete'>>('DELETE', path, request),
  getFile: <P extends PathOf<'get'>>(path: P, ...[request]: RequestArgument<P, 'get'>) =>
    withSession((token) => fetchFile(toUrl(path, request), token)),
};

/** A call whose types the caller has checked already. */
export function callApi<Answer>(method: string, path: string, request: AnyRequest = {}): Promise<Answer> {
  return withSession((token) => send<Answer>(method, toUrl(path, request), token, request.body));
}

/** A session that ended early, by a restart or a change of password elsewhere, is renewed once before it counts as over. */
async function withSession<Answer>(ask: (token: string) => Promise<Answer>): Promise<Answer> {
  const token = await session.findAccessToken();
  try {
    return await ask(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return ask(await session.renew());
  }
}

async function fetchFile(url: string, token: string): Promise<Blob> {
  const response = await reach(() => fetch(url, { headers: { authorization: `Bearer ${token}` } }));
  if (!response.ok) throw await readRefusal(response);
  return response.blob();
}

function send<Answer>(method: string, url: string, token: string, body: object | undefined): Promise<Answer> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  if (body === undefined) return readAnswer<Answer>(() => fetch(url, { method, headers }));
  headers.set('content-type', 'application/json');
  return readAnswer<Answer>(() => fetch(url, { method, headers, body: JSON.stringify(body) }));
}

/** A route's path with its parameters filled in; empty query fields are left out. */
function toUrl(route: string, { path = {}, query = {} }: AnyRequest = {}): string {
  const url = route.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''));
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (fields.length === 0) return url;
  return `${url}?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}
