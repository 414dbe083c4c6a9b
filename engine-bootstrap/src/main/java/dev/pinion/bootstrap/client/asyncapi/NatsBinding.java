package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.limits.MessageLimits;
import dev.pinion.core.model.call.MessageEndpoint;
import io.nats.client.Dispatcher;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/** Messages over NATS, without streams: a server keeps none for who is not there. */
final class NatsBinding implements MessageBinding {
  private final MessageLimits limits;
  private final ServerAddresses addresses;
  private final MessageTls tls;
  private final Duration patience;
  private final SharedConnections<NatsConnection> connections;

  NatsBinding(
      ProtocolSettings settings,
      ServerAddresses addresses,
      MessageTls tls,
      ScheduledExecutorService timers) {
    this.limits = settings.limits().messages();
    this.addresses = addresses;
    this.tls = tls;
    this.patience = Duration.ofMillis(settings.limits().invoker().connectTimeoutMillis());
    this.connections =
        new SharedConnections<>(
            limits.maxConnections(), settings.limits().invoker().idleTimeoutMillis(), timers);
  }

  private SharedConnections<NatsConnection>.Lease lease(ConnectionKey key)
      throws MessageFailure, InterruptedException {
    return connections.lease(
        key,
        () -> {
          var _ = addresses.of(key.server());
          return NatsConnection.open(key, tls, patience);
        });
  }

  @Override
  public void publish(OutgoingMessage message) throws MessageFailure, InterruptedException {
    try (var lease = lease(ConnectionKey.of(message))) {
      lease.connection().publish(message, message.id());
    }
  }

  @Override
  public MessageSource open(SubscriptionRequest request, MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    MessageEndpoint endpoint = request.endpoint();
    var lease = lease(ConnectionKey.of(endpoint, request.carrier()));
    NatsConnection connection = lease.connection();
    try {
      Dispatcher dispatcher =
          connection.subscribe(endpoint.address(), endpoint.options().queue(), inbox);
      dispatcher.setPendingLimits(limits.maxQueued(), limits.maxBytes());
      return finished -> {
        connection.unsubscribe(dispatcher, inbox);
        lease.close();
      };
    } catch (MessageFailure | InterruptedException | RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
