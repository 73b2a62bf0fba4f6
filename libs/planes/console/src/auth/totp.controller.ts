import type { TotpState } from '@mg/persistence/console';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Roles } from '../http/route-access.js';
import {
  type TotpBegin,
  totpBeginSchema,
  type TotpConfirm,
  totpConfirmedSchema,
  totpConfirmSchema,
  type TotpDisable,
  totpDisableSchema,
  totpSecretSchema,
  totpStateSchema,
} from './totp-schemas.js';
import { TotpService } from './totp-service.js';

/** The second factor of users who sign in with a password. */
@ApiTags('totp')
@Controller('api/v1')
export class TotpController {
  constructor(private readonly totp: TotpService) {}

  @Get('me/totp')
  @AnyRole()
  @ApiRoute({ summary: "The caller's second factor", answer: totpStateSchema })
  async showOwn(@CurrentCaller() caller: Caller): Promise<z.output<typeof totpStateSchema>> {
    return toStateView(await this.totp.findState(caller.id));
  }

  @Post('me/totp')
  @AnyRole()
  @ApiRoute({
    summary:
      'Begin to set a second factor up; the secret is in this answer only, and counts once it is confirmed',
    answer: totpSecretSchema,
  })
  async begin(
    @CurrentCaller() caller: Caller,
    @Body({ schema: totpBeginSchema }) body: TotpBegin,
  ): Promise<z.output<typeof totpSecretSchema>> {
    const { secret, uri } = await this.totp.begin(caller, body.current_password);
    return { secret, otpauth_uri: uri };
  }

  @Post('me/totp/confirm')
  @AnyRole()
  @ApiRoute({
    summary: 'Confirm a second factor by a code; ends every session and opens a new one',
    answer: totpConfirmedSchema,
  })
  async confirm(
    @CurrentCaller() caller: Caller,
    @Body({ schema: totpConfirmSchema }) body: TotpConfirm,
  ): Promise<z.output<typeof totpConfirmedSchema>> {
    const { recoveryCodes, session } = await this.totp.confirm(caller, body.code);
    return { recovery_codes: recoveryCodes, session };
  }

  @Post('me/totp/disable')
  @AnyRole()
  @ApiRoute({ summary: 'Sign in without a second factor again', status: 204 })
  disable(
    @CurrentCaller() caller: Caller,
    @Body({ schema: totpDisableSchema }) body: TotpDisable,
  ): Promise<void> {
    return this.totp.disable(caller, body.current_password, body.code);
  }

  @Get('users/:id/totp')
  @Roles('administrator')
  @ApiRoute({ summary: "A user's second factor", answer: totpStateSchema })
  async show(@Param('id', new RowIdPipe()) id: string): Promise<z.output<typeof totpStateSchema>> {
    return toStateView(await this.totp.findState(id));
  }

  @Delete('users/:id/totp')
  @Roles('administrator')
  @ApiRoute({ summary: "Take another user's second factor away; ends all their sessions", status: 204 })
  reset(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.totp.reset(caller, id);
  }
}

function toStateView({ enabledAt, recoveryCodesLeft }: TotpState): z.output<typeof totpStateSchema> {
  return {
    enabled: enabledAt !== null,
    enabled_at: enabledAt?.toISOString() ?? null,
    recovery_codes_left: recoveryCodesLeft,
  };
}
