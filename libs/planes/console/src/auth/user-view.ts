import type { UserRow } from '@mg/persistence/console';
import type { z } from 'zod';
import type { userSchema } from './auth-schemas.js';

export type UserView = z.output<typeof userSchema>;

/** What anyone is shown of a user. */
export function toUserView(user: UserRow): UserView {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    disabled: user.disabled,
    limits: user.limits,
    budgets: user.budgets,
    created_at: user.createdAt.toISOString(),
  };
}
