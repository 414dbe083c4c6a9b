package dev.pinion.bootstrap.client.asyncapi;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The end of a connection to an MQTT server, as a handler of its packets. */
final class MqttPeer extends SimpleChannelInboundHandler<MqttMessage> {
  /** The least code that says no. */
  static final int FIRST_REFUSAL = 0x80;

  private static final int MAX_ID = 65_535;

  private final MqttSession session;
  private final @Nullable MessageInbox inbox;
  private final CompletableFuture<Integer> connected = new CompletableFuture<>();
  private final Map<Integer, CompletableFuture<Integer>> expected = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private volatile @Nullable IllegalStateException failure;

  /**
   * The end of a connection.
   *
   * @param inbox receives messages, or null
   */
  MqttPeer(MqttSession session, @Nullable MessageInbox inbox) {
    this.session = session;
    this.inbox = inbox;
  }

  /** Done when the server has let the client in; failed when it has not. */
  CompletableFuture<Integer> connected() {
    return connected;
  }

  /** An id of a packet that is not in use. */
  int nextId() {
    return ids.updateAndGet(
        last -> {
          int id = last % MAX_ID + 1;
          while (expected.containsKey(id)) {
            id = id % MAX_ID + 1;
          }
          return id;
        });
  }

  /** The code with which the server will answer a packet. */
  CompletableFuture<Integer> expect(int id) {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    expected.put(id, answer);
    IllegalStateException failed = failure;
    if (failed != null) {
      answer.completeExceptionally(failed);
    }
    return answer;
  }

  void forget(int id) {
    expected.remove(id);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, MqttMessage packet) {
    if (packet.decoderResult().isFailure()) {
      fail("an invalid packet");
      var _ = context.close();
      return;
    }
    switch (packet.fixedHeader().messageType()) {
      case CONNACK -> onConnected((MqttConnAckMessage) packet);
      case PUBLISH -> onMessage(context, (MqttPublishMessage) packet);
      case PUBREC -> onReceived(context, packet);
      case SUBACK -> onSubscribed((MqttSubAckMessage) packet);
      case PUBACK, PUBCOMP, UNSUBACK -> answer(id(packet), code(packet));
      case DISCONNECT -> {
        fail("that the server ends the connection");
        var _ = context.close();
      }
      default -> {} // answers to pings
    }
  }

  private void onConnected(MqttConnAckMessage packet) {
    MqttConnectReturnCode code = packet.variableHeader().connectReturnCode();
    if (code == MqttConnectReturnCode.CONNECTION_ACCEPTED) {
      connected.complete(0);
    } else {
      connected.completeExceptionally(
          new IllegalStateException("that the server refuses the connection: " + code));
    }
  }

  private void onMessage(ChannelHandlerContext context, MqttPublishMessage packet) {
    MqttQoS qos = packet.fixedHeader().qosLevel();
    int id = packet.variableHeader().packetId();
    Runnable acknowledgement =
        qos == MqttQoS.AT_MOST_ONCE
            ? InboundMessage.NO_ACKNOWLEDGEMENT
            : () -> acknowledge(context, id);
    if (inbox != null && !inbox.put(MqttPackets.received(packet, acknowledgement))) {
      context.channel().config().setAutoRead(false); // until there is room
      if (inbox.hasRoom()) { // since then
        context.channel().config().setAutoRead(true);
      }
    }
  }

  private static void acknowledge(ChannelHandlerContext context, int id) {
    var _ =
        context.channel().writeAndFlush(MqttPackets.acknowledgement(MqttMessageType.PUBACK, id));
  }

  /** The second of the four packets with which a message is sent exactly once. */
  private void onReceived(ChannelHandlerContext context, MqttMessage packet) {
    int code = code(packet);
    if (code >= FIRST_REFUSAL) {
      answer(id(packet), code);
      return;
    }
    var _ = context.writeAndFlush(MqttPackets.acknowledgement(MqttMessageType.PUBREL, id(packet)));
  }

  private void onSubscribed(MqttSubAckMessage packet) {
    int worst = 0;
    for (int granted : packet.payload().grantedQoSLevels()) {
      worst = Math.max(worst, granted);
    }
    answer(id(packet), worst);
  }

  private static int id(MqttMessage packet) {
    return packet.variableHeader() instanceof MqttMessageIdVariableHeader header
        ? header.messageId()
        : 0;
  }

  private static int code(MqttMessage packet) {
    return packet.variableHeader() instanceof MqttPubReplyMessageVariableHeader header
        ? header.reasonCode() & 0xff
        : 0;
  }

  private void answer(int id, int code) {
    CompletableFuture<Integer> answer = expected.get(id);
    if (answer != null) {
      answer.complete(code);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof IdleStateEvent idle) {
      if (idle.state() == IdleState.WRITER_IDLE) {
        var _ = context.writeAndFlush(MqttPackets.PING);
      } else if (context.channel().config().isAutoRead()) {
        fail("that the server is silent");
        var _ = context.close();
      }
    } else {
      super.userEventTriggered(context, event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    fail("that the connection was closed");
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(cause.getClass().getSimpleName() + ": " + cause.getMessage());
    var _ = context.close();
  }

  private void fail(String found) {
    IllegalStateException failed = new IllegalStateException(found);
    failure = failed;
    connected.completeExceptionally(failed);
    expected.values().forEach(each -> each.completeExceptionally(failed));
    if (inbox != null) {
      inbox.failed(
          MessageFailure.communication(
              "expected the connection to the MQTT server to stay, found " + found));
    }
  }

  /** The client that it belongs to. */
  @Override
  public String toString() {
    return "MQTT client \"" + session.clientId() + "\"";
  }
}
