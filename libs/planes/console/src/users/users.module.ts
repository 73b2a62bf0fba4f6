import { Module } from '@nestjs/common';
import { WalletsModule } from '../wallets/wallets.module.js';
import { UserService } from './user-service.js';
import { UsersController } from './users.controller.js';

/** Users and their roles. */
@Module({
  imports: [WalletsModule],
  controllers: [UsersController],
  providers: [UserService],
  exports: [UserService],
})
export class UsersModule {}
