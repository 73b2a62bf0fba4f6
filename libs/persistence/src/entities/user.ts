import type { Budgets, Limits } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { createdAtColumn } from './column-types.js';

export const USER_ROLES = ['administrator', 'member'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** A person who signs in to the Console. */
export interface UserRow {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  passwordHash: string;
  role: UserRole;
  disabled: boolean;
  /** Whether nobody but the user has said that the address is theirs. */
  emailClaimed: boolean;
  /** Grows to end every session of the user. */
  tokenVersion: number;
  limits: Limits;
  budgets: Budgets;
  createdAt: Date;
}

export const UserEntity = new EntitySchema<UserRow>({
  name: 'app_user',
  columns: {
    id: { type: 'uuid', primary: true },
    email: { type: 'text' },
    name: { type: 'text' },
    passwordHash: { name: 'password_hash', type: 'text' },
    role: { type: 'text' },
    disabled: { type: 'boolean' },
    emailClaimed: { name: 'email_claimed', type: 'boolean' },
    tokenVersion: { name: 'token_version', type: 'integer' },
    limits: { type: 'jsonb' },
    budgets: { type: 'jsonb' },
    createdAt: createdAtColumn(),
  },
});
