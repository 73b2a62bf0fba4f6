import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { UserRole } from '@mg/persistence/console';

export const ACCESS = 'console:access';

/** Who may call a route: anyone, or users of these roles. A route that says nothing is closed to all. */
export type RouteAccess = 'public' | readonly UserRole[];

/** Opens a route to callers without a session. */
export const Public = () => SetMetadata(ACCESS, 'public' satisfies RouteAccess);

/** Opens a route to signed-in users of these roles. */
export const Roles = (...roles: [UserRole, ...UserRole[]]) =>
  applyDecorators(SetMetadata(ACCESS, roles satisfies RouteAccess), ApiBearerAuth());

/** Opens a route to every signed-in user. */
export const AnyRole = () => Roles('administrator', 'member');
