import { z } from 'zod';
import { codeSchema, passwordSchema, sessionSchema } from './auth-schemas.js';

export const totpStateSchema = z
  .object({
    enabled: z.boolean().describe('Whether signing in takes a code.'),
    enabled_at: z.iso.datetime().nullable(),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'TotpState' });

export const totpBeginSchema = z.strictObject({ current_password: passwordSchema });

export type TotpBegin = z.output<typeof totpBeginSchema>;

export const totpSecretSchema = z
  .object({
    secret: z.string().describe('For the authenticator app, in Base32.'),
    otpauth_uri: z.string().describe('The same as a link that apps open, alone or as a QR code.'),
  })
  .meta({ id: 'TotpSecret' });

export const totpConfirmSchema = z.strictObject({ code: codeSchema });

export type TotpConfirm = z.output<typeof totpConfirmSchema>;

export const totpConfirmedSchema = z
  .object({
    recovery_codes: z
      .array(z.string())
      .describe('Each takes the place of a code once; they are in this answer only.'),
    session: sessionSchema,
  })
  .meta({ id: 'TotpConfirmed' });

export const totpDisableSchema = z.strictObject({ current_password: passwordSchema, code: codeSchema });

export type TotpDisable = z.output<typeof totpDisableSchema>;
