import { ConsoleStore } from '@mg/persistence/console';
import { Module } from '@nestjs/common';
import { AlertDestinations } from './alert-destinations.js';
import { AlertSender } from './alert-sender.js';
import { AlertSettingsService } from './alert-settings-service.js';
import { AlertsController } from './alerts.controller.js';

/** What operators are alerted of. The watch and the dispatcher are started with the plane. */
@Module({
  controllers: [AlertsController],
  providers: [
    AlertSettingsService,
    {
      provide: AlertSender,
      inject: [ConsoleStore, AlertDestinations],
      useFactory: (store: ConsoleStore, destinations: AlertDestinations) =>
        new AlertSender(store, destinations),
    },
  ],
})
export class AlertsModule {}
