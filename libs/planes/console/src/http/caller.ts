import { refuse } from '@mg/contract';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import {
  EVERYONE,
  type Membership,
  onlyUser,
  type OwnerScope,
  type UserRole,
  type UserRow,
} from '@mg/persistence/console';
import type { FastifyRequest } from 'fastify';

/** Whether they see channels, the providers behind them and what those answer: members see the product alone. */
export function seesUpstream(caller: Pick<Caller, 'role'>): boolean {
  return caller.role === 'administrator';
}

/**
 * @param param the query field that asks by channel.
 * @throws GatewayError `forbidden` for callers who may not know that there are channels.
 */
export function refuseChannels(caller: Pick<Caller, 'role'>, param: string, asks: boolean): void {
  if (!asks || seesUpstream(caller)) return;
  throw refuse('forbidden', 'channels_for_administrators', { param });
}

/**
 * @param param the query field that asks by user.
 * @throws GatewayError `forbidden` for callers who may not know that there are other users.
 */
export function refuseUsers(caller: Pick<Caller, 'role'>, param: string, asks: boolean): void {
  if (!asks || caller.role === 'administrator') return;
  throw refuse('forbidden', 'users_for_administrators', { param });
}

/** Where a request came from, for the audit log. */
export interface Origin {
  readonly requestId: string;
  /** Network address of the client. */
  readonly address: string;
}

/** The signed-in user behind a request. */
export interface Caller extends Origin {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly sessionId: string;
  /** Grows whenever all of the user's sessions end. */
  readonly tokenVersion: number;
  /** Whose rows they may see: administrators everyone's, members their own and those of their projects. */
  readonly scope: OwnerScope;
  /** The projects that they are in, and as what. */
  readonly memberships: readonly Membership[];
}

export function toCaller(
  user: UserRow,
  memberships: readonly Membership[],
  sessionId: string,
  origin: Origin,
): Caller {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    sessionId,
    tokenVersion: user.tokenVersion,
    scope: user.role === 'administrator' ? EVERYONE : onlyUser(user.id, memberships),
    memberships,
    ...origin,
  };
}

export function toOrigin(request: FastifyRequest): Origin {
  return { requestId: request.id, address: request.ip };
}

/** Callers live beside their requests, so that nothing a client sends can stand in for one. */
const CALLERS = new WeakMap<FastifyRequest, Caller>();

export function rememberCaller(request: FastifyRequest, caller: Caller): void {
  CALLERS.set(request, caller);
}

/** Injects the caller into a handler's parameter. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const caller = CALLERS.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!caller) throw new Error('The route has no caller: it is public.');
  return caller;
});

/** Injects where a request came from, on routes that nobody needs to be signed in for. */
export const CurrentOrigin = createParamDecorator((_data: unknown, context: ExecutionContext): Origin =>
  toOrigin(context.switchToHttp().getRequest<FastifyRequest>()),
);
