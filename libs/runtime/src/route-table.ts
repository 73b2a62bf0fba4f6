import type { FastifyInstance } from 'fastify';

/** Every route of a server, to tell an unknown path from a known one that was asked with another method. */
export class RouteTable {
  readonly #routes: {
    readonly url: string;
    readonly pattern: RegExp;
    readonly methods: readonly string[];
  }[] = [];

  /** Notes the routes that are added from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const methods = [route.method].flat();
      if (route.url !== '*' && !methods.includes('OPTIONS')) {
        this.#routes.push({ url: route.url, pattern: toPattern(route.url), methods });
      }
    });
  }

  /** Methods that the path of a URL answers to. */
  methodsOf(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    const matching = this.#routes.filter((route) => route.pattern.test(path));
    // A route that names the path in full comes before one with parameters.
    const named = matching.filter((route) => route.url === path);
    return [...new Set((named.length > 0 ? named : matching).flatMap((route) => route.methods))].sort();
  }
}

function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) => {
      if (segment.startsWith(':')) return '[^/]+';
      return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}$`);
}
