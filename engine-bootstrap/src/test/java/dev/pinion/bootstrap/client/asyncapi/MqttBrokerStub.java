package dev.pinion.bootstrap.client.asyncapi;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.handler.codec.mqtt.MqttSubAckPayload;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttTopicSubscription;
import io.netty.handler.codec.mqtt.MqttUnsubAckMessage;
import io.netty.handler.codec.mqtt.MqttUnsubAckPayload;
import io.netty.handler.codec.mqtt.MqttUnsubscribeMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of MQTT in this process: keeps sessions, and what is not acknowledged. It refuses the
 * password "wrong". All of it runs on one thread.
 */
final class MqttBrokerStub implements MqttBroker {
  private static final int MAX_BYTES = 4 << 20;
  private static final byte[] WRONG = "wrong".getBytes(StandardCharsets.UTF_8);

  /** Names of clients as they connect, with their users. */
  final Queue<String> connects = new ConcurrentLinkedQueue<>();

  /** Topics of subscriptions. */
  final Queue<String> subscribed = new ConcurrentLinkedQueue<>();

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Map<String, Session> sessions = new LinkedHashMap<>();
  private final Channel server;
  private int names;

  MqttBrokerStub() throws InterruptedException {
    server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel made) {
                    made.pipeline()
                        .addLast(new MqttDecoder(MAX_BYTES))
                        .addLast(MqttEncoder.INSTANCE)
                        .addLast(new BrokerClient());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
  }

  /** What is kept for a client. */
  private static final class Session {
    final boolean clean;
    final Map<String, MqttQoS> topics = new LinkedHashMap<>();
    final Map<Integer, Kept> unacknowledged = new LinkedHashMap<>();
    @Nullable Channel channel;
    int ids;

    Session(boolean clean) {
      this.clean = clean;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(String topic, byte[] payload, MqttProperties properties) {}

  @Override
  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private void route(MqttPublishMessage packet) {
    Kept message =
        new Kept(
            packet.variableHeader().topicName(),
            ByteBufUtil.getBytes(packet.payload()),
            packet.variableHeader().properties());
    int sent = packet.fixedHeader().qosLevel().value();
    for (Session session : sessions.values()) {
      session.topics.forEach(
          (topic, most) -> {
            if (fits(topic, message.topic())) {
              deliver(session, message, Math.min(sent, most.value()));
            }
          });
    }
  }

  private static boolean fits(String filter, String topic) {
    return topic.matches(filter.replace("+", "[^/]*"));
  }

  private static void deliver(Session session, Kept message, int qos) {
    int id = 0;
    if (qos > 0) {
      id = ++session.ids;
      session.unacknowledged.put(id, message);
    }
    send(session, message, qos, id);
  }

  private static void send(Session session, Kept message, int qos, int id) {
    if (session.channel != null) {
      var _ =
          session.channel.writeAndFlush(
              MqttMessageBuilders.publish()
                  .topicName(message.topic())
                  .qos(MqttQoS.valueOf(qos))
                  .retained(false)
                  .messageId(id)
                  .properties(message.properties())
                  .payload(Unpooled.wrappedBuffer(message.payload()))
                  .build());
    }
  }

  /** One client. */
  private final class BrokerClient extends SimpleChannelInboundHandler<MqttMessage> {
    private Session session = new Session(true);

    @Override
    protected void channelRead0(ChannelHandlerContext context, MqttMessage packet) {
      switch (packet.fixedHeader().messageType()) {
        case CONNECT -> connect(context, (MqttConnectMessage) packet);
        case SUBSCRIBE -> subscribe(context, (MqttSubscribeMessage) packet);
        case UNSUBSCRIBE -> unsubscribe(context, (MqttUnsubscribeMessage) packet);
        case PUBLISH -> publish(context, (MqttPublishMessage) packet);
        case PUBREL -> acknowledge(context, MqttMessageType.PUBCOMP, id(packet));
        case PUBACK -> session.unacknowledged.remove(id(packet));
        case PINGREQ -> {
          var _ = context.writeAndFlush(new MqttMessage(head(MqttMessageType.PINGRESP)));
        }
        default -> {
          var _ = context.close();
        }
      }
    }

    private void connect(ChannelHandlerContext context, MqttConnectMessage packet) {
      byte[] password = packet.payload().passwordInBytes();
      boolean fifth = packet.variableHeader().version() == 5;
      if (password != null && Arrays.equals(password, WRONG)) {
        var _ =
            context.writeAndFlush(
                MqttMessageBuilders.connAck()
                    .returnCode(
                        fifth
                            ? MqttConnectReturnCode.CONNECTION_REFUSED_BAD_USERNAME_OR_PASSWORD
                            : MqttConnectReturnCode.CONNECTION_REFUSED_BAD_USER_NAME_OR_PASSWORD)
                    .sessionPresent(false)
                    .build());
        return;
      }
      String given = packet.payload().clientIdentifier();
      String client = given == null || given.isEmpty() ? "client" + ++names : given;
      connects.add(given + " " + packet.payload().userName());
      boolean clean = packet.variableHeader().isCleanSession();
      Session known = clean ? null : sessions.get(client);
      session = known == null ? new Session(clean) : known;
      sessions.put(client, session);
      session.channel = context.channel();
      var _ =
          context.writeAndFlush(
              MqttMessageBuilders.connAck()
                  .returnCode(MqttConnectReturnCode.CONNECTION_ACCEPTED)
                  .sessionPresent(known != null)
                  .build());
      session.unacknowledged.forEach((id, message) -> send(session, message, 1, id));
    }

    private void subscribe(ChannelHandlerContext context, MqttSubscribeMessage packet) {
      List<Integer> granted = new ArrayList<>();
      for (MqttTopicSubscription each : packet.payload().topicSubscriptions()) {
        session.topics.put(each.topicFilter(), each.qualityOfService());
        granted.add(each.qualityOfService().value());
        subscribed.add(each.topicFilter());
      }
      var _ =
          context.writeAndFlush(
              new MqttSubAckMessage(
                  head(MqttMessageType.SUBACK),
                  MqttMessageIdVariableHeader.from(id(packet)),
                  new MqttSubAckPayload(granted)));
    }

    private void unsubscribe(ChannelHandlerContext context, MqttUnsubscribeMessage packet) {
      packet.payload().topics().forEach(session.topics::remove);
      var _ =
          context.writeAndFlush(
              new MqttUnsubAckMessage(
                  head(MqttMessageType.UNSUBACK),
                  MqttMessageIdVariableHeader.from(id(packet)),
                  new MqttUnsubAckPayload((short) 0)));
    }

    private void publish(ChannelHandlerContext context, MqttPublishMessage packet) {
      route(packet);
      switch (packet.fixedHeader().qosLevel()) {
        case AT_LEAST_ONCE ->
            acknowledge(context, MqttMessageType.PUBACK, packet.variableHeader().packetId());
        case EXACTLY_ONCE ->
            acknowledge(context, MqttMessageType.PUBREC, packet.variableHeader().packetId());
        default -> {}
      }
    }

    private static void acknowledge(ChannelHandlerContext context, MqttMessageType type, int id) {
      var _ = context.writeAndFlush(MqttPackets.acknowledgement(type, id));
    }

    private static MqttFixedHeader head(MqttMessageType type) {
      return new MqttFixedHeader(type, false, MqttQoS.AT_MOST_ONCE, false, 0);
    }

    private static int id(MqttMessage packet) {
      return ((MqttMessageIdVariableHeader) packet.variableHeader()).messageId();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (context.channel().equals(session.channel)) {
        session.channel = null;
        if (session.clean) {
          sessions.values().remove(session);
        }
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }
}
