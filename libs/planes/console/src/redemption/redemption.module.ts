import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { RedemptionService } from './redemption-service.js';
import { RedemptionController } from './redemption.controller.js';

/** Redemption codes. */
@Module({
  imports: [AuthModule, WalletsModule],
  controllers: [RedemptionController],
  providers: [RedemptionService],
})
export class RedemptionModule {}
