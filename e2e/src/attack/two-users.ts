import { randomUUID } from 'node:crypto';
import { ConsoleClient, type TokenRow } from '../clients/console-client.js';
import type { Deployment } from '../deployment/deployment.js';

const PASSWORD = 'a password of the attacker';

/** A member of the Console with an API key of their own, and the administrator that they attack. */
export interface TwoUsers {
  readonly administrator: ConsoleClient;
  readonly member: ConsoleClient;
  readonly memberId: string;
  readonly memberEmail: string;
  readonly memberPassword: string;
  readonly memberKey: string;
}

/** Creates a member and signs both in. */
export async function createTwoUsers(deployment: Deployment): Promise<TwoUsers> {
  const administrator = await ConsoleClient.asAdmin(deployment);
  const memberEmail = `attacker-${randomUUID()}@example.com`;
  const { id } = await administrator.demand<{ id: string }>('POST', '/users', {
    email: memberEmail,
    password: PASSWORD,
    role: 'member',
  });
  const member = await ConsoleClient.login(deployment, { email: memberEmail, password: PASSWORD });
  const token = await member.demand<TokenRow>('POST', '/tokens', { name: 'attacker' });
  return {
    administrator,
    member,
    memberId: id,
    memberEmail,
    memberPassword: PASSWORD,
    memberKey: token.key ?? '',
  };
}
