import { GatewayError } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { rememberCaller, toCaller } from '../http/caller.js';
import { ACCESS, type RouteAccess } from '../http/route-access.js';
import { SessionTokens } from './session-tokens.js';

const BEARER = /^Bearer ([A-Za-z0-9._-]{1,4096})$/i;

/** Stands before every route: what is not declared open to the caller is closed. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionTokens,
    private readonly store: ConsoleStore,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<RouteAccess | undefined>(ACCESS, context.getHandler());
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const user = await this.#findUser(request.headers.authorization);
    if (!user) throw new GatewayError('unauthenticated', 'Sign in: the session is missing, wrong or over.');
    if (!access?.includes(user.role)) {
      throw new GatewayError('forbidden', 'Your role may not do this.');
    }
    rememberCaller(request, toCaller(user));
    return true;
  }

  async #findUser(authorization: string | undefined) {
    const [, token] = BEARER.exec(authorization ?? '') ?? [];
    const claim = token === undefined ? undefined : await this.sessions.read('access', token);
    if (!claim) return undefined;
    const user = await this.store.users.findById(claim.userId);
    return user && !user.disabled && user.tokenVersion === claim.tokenVersion ? user : undefined;
  }
}
