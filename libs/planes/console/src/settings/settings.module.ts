import { Module } from '@nestjs/common';
import { SettingsController } from './settings.controller.js';

/** Settings in force. */
@Module({ controllers: [SettingsController] })
export class SettingsModule {}
