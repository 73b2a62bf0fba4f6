import { Module } from '@nestjs/common';
import { WalletsModule } from '../wallets/wallets.module.js';
import { TokenService } from './token-service.js';
import { TokensController } from './tokens.controller.js';

/** API keys. */
@Module({
  imports: [WalletsModule],
  controllers: [TokensController],
  providers: [TokenService],
})
export class TokensModule {}
