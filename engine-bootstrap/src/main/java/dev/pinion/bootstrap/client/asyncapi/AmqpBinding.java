package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.limits.MessageLimits;
import java.util.concurrent.ScheduledExecutorService;

/** Messages over AMQP 0-9-1. */
final class AmqpBinding implements MessageBinding {
  private final MessageLimits limits;
  private final ServerAddresses addresses;
  private final MessageTls tls;
  private final int patienceMillis;
  private final SharedConnections<AmqpConnection> connections;

  AmqpBinding(
      ProtocolSettings settings,
      ServerAddresses addresses,
      MessageTls tls,
      ScheduledExecutorService timers) {
    this.limits = settings.limits().messages();
    this.addresses = addresses;
    this.tls = tls;
    this.patienceMillis = settings.limits().invoker().connectTimeoutMillis();
    this.connections =
        new SharedConnections<>(
            limits.maxConnections(), settings.limits().invoker().idleTimeoutMillis(), timers);
  }

  private SharedConnections<AmqpConnection>.Lease lease(ConnectionKey key)
      throws MessageFailure, InterruptedException {
    return connections.lease(
        key,
        () -> {
          var _ = addresses.of(key.server());
          return AmqpConnection.open(key, tls, patienceMillis, limits.maxBytes());
        });
  }

  @Override
  public void publish(OutgoingMessage message) throws MessageFailure, InterruptedException {
    try (var lease = lease(ConnectionKey.of(message))) {
      lease.connection().publish(message);
    }
  }

  @Override
  public MessageSource open(SubscriptionRequest request, MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    var lease = lease(ConnectionKey.of(request.endpoint(), request.carrier()));
    try {
      return lease
          .connection()
          .subscribe(new AmqpConsumption(request.endpoint(), inbox), lease::close);
    } catch (MessageFailure | RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
