package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.call.MessageServer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to an MQTT server. Never reconnects: the next task, or the next request of a
 * subscription, opens another one.
 */
final class MqttConnection implements MessageConnection {
  /** Time without packets after which one is sent. */
  static final int KEEP_ALIVE_SECONDS = 30;

  private static final int SILENT_SECONDS = 45;

  private final ConnectionKey key;
  private final Channel channel;
  private final MqttPeer peer;
  private final long patienceMillis;

  private MqttConnection(ConnectionKey key, Channel channel, MqttPeer peer, long patienceMillis) {
    this.key = key;
    this.channel = channel;
    this.peer = peer;
    this.patienceMillis = patienceMillis;
  }

  /**
   * Where connections run.
   *
   * @param patienceMillis most time for one exchange of packets
   */
  record MqttNetwork(
      EventLoopGroup group, MessageTls tls, ServerAddresses addresses, int patienceMillis) {}

  /** Opens a connection; tries the addresses of the server one by one. */
  static MqttConnection open(
      ConnectionKey key, MqttSession session, MqttNetwork network, @Nullable MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    List<InetAddress> addresses = network.addresses().of(key.server());
    MessageFailure last = MessageFailure.communication("expected an address, found none");
    for (InetAddress address : addresses) {
      MqttPeer peer = new MqttPeer(session, inbox);
      ChannelFuture connecting =
          bootstrap(key.server(), session, network, peer)
              .connect(new InetSocketAddress(address, key.server().port()));
      var _ = connecting.await();
      if (connecting.isSuccess()) {
        MqttConnection connection =
            new MqttConnection(key, connecting.channel(), peer, network.patienceMillis());
        connection.begin(session);
        return connection;
      }
      last =
          MessageFailure.communication(
              "a connection to the MQTT server " + key.server(), connecting.cause());
    }
    throw last;
  }

  private static Bootstrap bootstrap(
      MessageServer server, MqttSession session, MqttNetwork network, MqttPeer peer) {
    SslContext tls = server.secure() ? network.tls().forChannels() : null;
    int maxBytes = session.bounds().maxPacketBytes();
    return new Bootstrap()
        .group(network.group())
        .channel(NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, network.patienceMillis())
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel made) {
                if (tls != null) {
                  made.pipeline()
                      .addLast(tls.newHandler(made.alloc(), server.host(), server.port()));
                }
                made.pipeline()
                    .addLast(new MqttPacketLimit(maxBytes))
                    .addLast(new MqttDecoder(maxBytes))
                    .addLast(MqttEncoder.INSTANCE)
                    .addLast(new IdleStateHandler(SILENT_SECONDS, KEEP_ALIVE_SECONDS / 2, 0))
                    .addLast(peer);
              }
            });
  }

  private void begin(MqttSession session) throws MessageFailure, InterruptedException {
    try {
      var _ = channel.writeAndFlush(MqttPackets.connect(key, session));
      var _ = await(peer.connected(), "the MQTT server " + key.server() + " to let it in");
    } catch (MessageFailure | InterruptedException | RuntimeException e) {
      var _ = channel.close();
      throw e;
    }
  }

  /** Sends a message; returns when the server has it, or with quality 0 when it has left. */
  void publish(OutgoingMessage message) throws MessageFailure, InterruptedException {
    String what = "the MQTT server to take " + message;
    if (message.endpoint().options().qos() == 0) {
      ChannelFuture sent = channel.writeAndFlush(MqttPackets.publish(message, 0));
      if (!sent.await(patienceMillis) || !sent.isSuccess()) {
        throw MessageFailure.communication("expected " + what + ", found no connection");
      }
      return;
    }
    int id = peer.nextId();
    int code = exchange(id, MqttPackets.publish(message, id), what);
    if (code >= MqttPeer.FIRST_REFUSAL) {
      throw refusal(what, code);
    }
  }

  /** Subscribes to a topic; returns when the server knows. */
  void subscribe(String topic, int qos) throws MessageFailure, InterruptedException {
    int id = peer.nextId();
    String what = "a subscription to the topic " + topic;
    int code = exchange(id, MqttPackets.subscribe(topic, qos, id), what);
    if (code >= MqttPeer.FIRST_REFUSAL) {
      throw refusal(what, code);
    }
  }

  /** Ends a subscription. */
  void unsubscribe(String topic) throws MessageFailure, InterruptedException {
    int id = peer.nextId();
    var _ = exchange(id, MqttPackets.unsubscribe(topic, id), "the end of a subscription");
  }

  private static MessageFailure refusal(String what, int code) {
    return MessageFailure.communication(
        "expected " + what + ", found that the server refuses it with code " + code);
  }

  private int exchange(int id, MqttMessage packet, String what)
      throws MessageFailure, InterruptedException {
    CompletableFuture<Integer> answer = peer.expect(id);
    try {
      var _ = channel.writeAndFlush(packet);
      return await(answer, what);
    } finally {
      peer.forget(id);
    }
  }

  private int await(CompletableFuture<Integer> answer, String what)
      throws MessageFailure, InterruptedException {
    try {
      return answer.get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw MessageFailure.communication(
          "expected " + what + " within " + patienceMillis + " ms, found no answer");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw MessageFailure.communication(
          "expected " + what + ", found: " + (cause == null ? e : cause).getMessage());
    }
  }

  /** Reads on after a pause, in which the server waits. */
  void resume() {
    if (!channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isActive();
  }

  @Override
  public void close() {
    if (channel.isActive()) {
      var _ = channel.writeAndFlush(MqttPackets.DISCONNECT);
    }
    var _ = channel.close();
  }
}
