import { refuse } from '@mg/contract';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type Caller, rememberCaller, toOrigin } from '../http/caller.js';
import { ACCESS, type RouteAccess } from '../http/route-access.js';
import { CallerFinder } from './caller-finder.js';
import { SessionTokens } from './session-tokens.js';

const BEARER = /^Bearer ([A-Za-z0-9._-]{1,4096})$/i;

/** Stands before every route: what is not declared open to the caller is closed. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionTokens,
    private readonly callers: CallerFinder,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<RouteAccess | undefined>(ACCESS, context.getHandler());
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.#findCaller(request);
    if (!caller) throw refuse('unauthenticated', 'no_session');
    if (!access?.includes(caller.role)) {
      throw refuse('forbidden', 'role_may_not');
    }
    rememberCaller(request, caller);
    return true;
  }

  async #findCaller(request: FastifyRequest): Promise<Caller | undefined> {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    const claim = token === undefined ? undefined : await this.sessions.read('access', token);
    if (!claim) return undefined;
    return this.callers.find(claim, toOrigin(request));
  }
}
