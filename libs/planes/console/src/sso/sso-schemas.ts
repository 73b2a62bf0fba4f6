import { z } from 'zod';
import { codeSchema, passwordSchema } from '../auth/auth-schemas.js';

export const ssoStartSchema = z
  .object({ url: z.url().describe('The issuer’s page, which the browser is sent to.') })
  .meta({ id: 'SsoStart' });

export type SsoStart = z.output<typeof ssoStartSchema>;

export const ssoExchangeSchema = z.strictObject({
  code: z.string().max(128).describe('Of the page’s address, as `sso`.'),
});

export type SsoExchange = z.output<typeof ssoExchangeSchema>;

export const ssoLinkSchema = z.strictObject({
  current_password: passwordSchema,
  code: codeSchema.optional(),
});

export type SsoLink = z.output<typeof ssoLinkSchema>;

export const ssoStateSchema = z
  .object({ linked: z.boolean().describe('Whether the caller is linked to an identity of an issuer.') })
  .meta({ id: 'SsoState' });
