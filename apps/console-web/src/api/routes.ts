import type { paths } from './console-api.js';

/** What the OpenAPI document of the Console says of its routes, as types: a call that it does not describe does not compile. */
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Described {
  readonly parameters: { readonly path?: unknown; readonly query?: unknown };
  readonly requestBody?: unknown;
  readonly responses: unknown;
}

/** Paths that a method can be called on. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends Described ? P : never;
}[keyof paths];

type Route<P extends keyof paths, M extends Method> = Extract<paths[P][M], Described>;

type JsonOf<Part> = Part extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : undefined;

/** The body that a route takes. */
export type BodyOf<P extends keyof paths, M extends 'post' | 'put' | 'patch'> = JsonOf<
  NonNullable<Route<P, M>['requestBody']>
>;

/** What a route answers when all goes well; `undefined` for no body. */
export type AnswerOf<P extends keyof paths, M extends Method> = Route<
  P,
  M
>['responses'] extends infer Responses
  ? JsonOf<Responses[keyof Responses & (200 | 201)]>
  : never;

/** Paths whose answer is a page of rows. */
export type ListPath = {
  [P in PathOf<'get'>]: AnswerOf<P, 'get'> extends { readonly next_cursor: string | null } ? P : never;
}[PathOf<'get'>];

/** A row of a list. */
export type RowOf<P extends PathOf<'get'>> =
  AnswerOf<P, 'get'> extends {
    readonly data: readonly (infer Row)[];
  }
    ? Row
    : never;

/** Query fields of a route. They may hold any text: what comes from the page's address is the API's to refuse. */
export type QueryOf<P extends keyof paths, M extends Method = 'get'> = {
  readonly [Name in keyof Required<NonNullable<Route<P, M>['parameters']['query']>>]?:
    | string
    | number
    | undefined;
};

type PartOf<Name extends string, Value> = [undefined] extends [Value]
  ? { readonly [N in Name]?: Value }
  : { readonly [N in Name]: Value };

/** Everything that fills a route in: what is in its path, its query, its body. */
export type RequestOf<P extends keyof paths, M extends Method> = PartOf<
  'path',
  Route<P, M>['parameters']['path']
> &
  (M extends 'get' ? { readonly query?: QueryOf<P> } : unknown) &
  (M extends 'post' | 'put' | 'patch' ? PartOf<'body', JsonOf<Route<P, M>['requestBody']>> : unknown);

/** The last parameter of a call: may be left out where nothing of it is required. */
export type RequestArgument<P extends keyof paths, M extends Method> =
  Record<never, never> extends RequestOf<P, M>
    ? readonly [request?: RequestOf<P, M>]
    : readonly [request: RequestOf<P, M>];
