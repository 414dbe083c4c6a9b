package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.asyncapi.MqttConnection.MqttNetwork;
import dev.pinion.bootstrap.client.asyncapi.MqttSession.PacketBounds;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.limits.MessageLimits;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.stage.AncillaryThreadFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages over MQTT 3.1.1 and 5. Each subscription has a connection of its own, under a name by
 * which the server knows it after a crash.
 */
final class MqttBinding implements MessageBinding {
  private static final Logger LOG = LoggerFactory.getLogger(MqttBinding.class);
  private static final long STOP_SECONDS = 1;

  /** Bytes of a packet besides the payload: topic and properties. */
  private static final int HEAD_BYTES = 128 << 10;

  private static final int MAX_IN_FLIGHT = 65_535;

  private final MessageLimits limits;
  private final EventLoopGroup group;
  private final MqttNetwork network;
  private final PacketBounds bounds;
  private final SharedConnections<MqttConnection> connections;

  MqttBinding(
      ProtocolSettings settings,
      ServerAddresses addresses,
      MessageTls tls,
      ScheduledExecutorService timers) {
    this.limits = settings.limits().messages();
    this.group =
        new MultiThreadIoEventLoopGroup(
            1, new AncillaryThreadFactory("mqtt", settings.threads()), NioIoHandler.newFactory());
    this.network =
        new MqttNetwork(group, tls, addresses, settings.limits().invoker().connectTimeoutMillis());
    this.bounds =
        new PacketBounds(
            Math.min(limits.maxQueued(), MAX_IN_FLIGHT), limits.maxBytes() + HEAD_BYTES);
    this.connections =
        new SharedConnections<>(
            limits.maxConnections(), settings.limits().invoker().idleTimeoutMillis(), timers);
  }

  @Override
  public void publish(OutgoingMessage message) throws MessageFailure, InterruptedException {
    ConnectionKey key = ConnectionKey.of(message);
    try (var lease =
        connections.lease(
            key, () -> MqttConnection.open(key, MqttSession.clean(bounds), network, null))) {
      lease.connection().publish(message);
    }
  }

  @Override
  public MessageSource open(SubscriptionRequest request, MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    MessageEndpoint endpoint = request.endpoint();
    ConnectionKey key = ConnectionKey.of(endpoint, request.carrier());
    int qos = endpoint.options().qos();
    MqttSession session =
        qos == 0
            ? MqttSession.clean(bounds)
            : MqttSession.of(request.key(), limits.idleSeconds(), bounds);
    MqttConnection connection = MqttConnection.open(key, session, network, inbox);
    try {
      connection.subscribe(endpoint.address(), qos);
    } catch (MessageFailure | InterruptedException | RuntimeException e) {
      connection.close();
      throw e;
    }
    return new MqttSource(key, session, connection, endpoint.address());
  }

  /** An open subscription. */
  private final class MqttSource implements MessageSource {
    private final ConnectionKey key;
    private final MqttSession session;
    private final MqttConnection connection;
    private final String topic;

    MqttSource(ConnectionKey key, MqttSession session, MqttConnection connection, String topic) {
      this.key = key;
      this.session = session;
      this.connection = connection;
      this.topic = topic;
    }

    @Override
    public void resume() {
      connection.resume();
    }

    @Override
    public void close(boolean finished) {
      try {
        if (finished && !session.isClean()) {
          connection.resume(); // so that the answer can come
          connection.unsubscribe(topic);
          connection.close();
          forget();
        }
      } catch (MessageFailure e) {
        LOG.debug("the MQTT server {} may keep a finished subscription", key.server(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        connection.close();
      }
    }

    /** Has the server forget the client, by a session that is to begin anew. */
    private void forget() throws MessageFailure, InterruptedException {
      MqttConnection.open(key, session.forgotten(), network, null).close();
    }
  }

  @Override
  public void close() {
    connections.close();
    var _ = group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
  }
}
