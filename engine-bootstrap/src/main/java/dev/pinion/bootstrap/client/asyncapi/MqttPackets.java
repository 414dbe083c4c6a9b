package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.call.MessageProtocol;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Packets of MQTT 3.1.1 and 5. */
final class MqttPackets {
  static final MqttMessage PING = packet(MqttMessageType.PINGREQ);
  static final MqttMessage DISCONNECT = packet(MqttMessageType.DISCONNECT);

  // properties of MQTT 5 (section 2.2.2.2)
  private static final int CONTENT_TYPE = 0x03;
  private static final int CORRELATION_DATA = 0x09;
  private static final int SESSION_EXPIRY_INTERVAL = 0x11;
  private static final int RECEIVE_MAXIMUM = 0x21;
  private static final int USER_PROPERTY = 0x26;
  private static final int MAXIMUM_PACKET_SIZE = 0x27;

  private MqttPackets() {}

  private static MqttMessage packet(MqttMessageType type) {
    return new MqttMessage(new MqttFixedHeader(type, false, MqttQoS.AT_MOST_ONCE, false, 0));
  }

  /** Request to connect. */
  static MqttConnectMessage connect(ConnectionKey key, MqttSession session) {
    MqttMessageBuilders.ConnectBuilder packet =
        MqttMessageBuilders.connect()
            .clientId(session.clientId())
            .cleanSession(session.isClean())
            .keepAlive(MqttConnection.KEEP_ALIVE_SECONDS);
    MessageCredentials credentials = key.credentials();
    if (credentials != null && credentials.user() != null) {
      packet
          .username(credentials.user())
          .password(credentials.secret().getBytes(StandardCharsets.UTF_8));
    }
    if (key.protocol() != MessageProtocol.MQTT5) {
      return packet.protocolVersion(MqttVersion.MQTT_3_1_1).build();
    }
    MqttProperties properties = new MqttProperties();
    int expiry = session.isClean() ? 0 : session.expirySeconds();
    properties.add(new MqttProperties.IntegerProperty(SESSION_EXPIRY_INTERVAL, expiry));
    properties.add(
        new MqttProperties.IntegerProperty(RECEIVE_MAXIMUM, session.bounds().mostInFlight()));
    properties.add(
        new MqttProperties.IntegerProperty(MAXIMUM_PACKET_SIZE, session.bounds().maxPacketBytes()));
    return packet.protocolVersion(MqttVersion.MQTT_5).properties(properties).build();
  }

  /** A message. */
  static MqttPublishMessage publish(OutgoingMessage message, int id) {
    return MqttMessageBuilders.publish()
        .topicName(message.endpoint().address())
        .qos(MqttQoS.valueOf(message.endpoint().options().qos()))
        .retained(message.endpoint().options().retain())
        .messageId(id)
        .properties(properties(message))
        .payload(Unpooled.wrappedBuffer(message.payload()))
        .build();
  }

  private static MqttProperties properties(OutgoingMessage message) {
    if (message.endpoint().protocol() != MessageProtocol.MQTT5) {
      return MqttProperties.NO_PROPERTIES;
    }
    MqttProperties properties = new MqttProperties();
    properties.add(
        new MqttProperties.StringProperty(CONTENT_TYPE, message.endpoint().contentType()));
    if (message.correlationId() != null) {
      properties.add(
          new MqttProperties.BinaryProperty(
              CORRELATION_DATA, message.correlationId().getBytes(StandardCharsets.UTF_8)));
    }
    message
        .headers()
        .forEach((name, value) -> properties.add(new MqttProperties.UserProperty(name, value)));
    return properties;
  }

  /** Subscription to a topic, at least once at most: an acknowledged message never comes again. */
  static MqttSubscribeMessage subscribe(String topic, int qos, int id) {
    MqttQoS most = qos == 0 ? MqttQoS.AT_MOST_ONCE : MqttQoS.AT_LEAST_ONCE;
    return MqttMessageBuilders.subscribe()
        .messageId(id)
        .addSubscription(most, topic)
        .properties(MqttProperties.NO_PROPERTIES)
        .build();
  }

  /** End of a subscription. */
  static MqttMessage unsubscribe(String topic, int id) {
    return MqttMessageBuilders.unsubscribe()
        .messageId(id)
        .addTopicFilter(topic)
        .properties(MqttProperties.NO_PROPERTIES)
        .build();
  }

  /** Acknowledgement of a packet. */
  static MqttMessage acknowledgement(MqttMessageType type, int id) {
    MqttQoS qos = type == MqttMessageType.PUBREL ? MqttQoS.AT_LEAST_ONCE : MqttQoS.AT_MOST_ONCE;
    return new MqttMessage(
        new MqttFixedHeader(type, false, qos, false, 0), MqttMessageIdVariableHeader.from(id));
  }

  /** A message that was received. */
  static InboundMessage received(MqttPublishMessage packet, Runnable acknowledgement) {
    MqttProperties properties = packet.variableHeader().properties();
    Map<String, String> headers = new TreeMap<>();
    for (MqttProperties.MqttProperty<?> each : properties.getProperties(USER_PROPERTY)) {
      if (each.value() instanceof MqttProperties.StringPair pair) {
        headers.put(pair.key, pair.value);
      }
    }
    return new InboundMessage(
        ByteBufUtil.getBytes(packet.payload()),
        value(properties, CONTENT_TYPE) instanceof String type ? type : null,
        headers,
        value(properties, CORRELATION_DATA) instanceof byte[] id
            ? new String(id, StandardCharsets.UTF_8)
            : null,
        acknowledgement);
  }

  private static @Nullable Object value(MqttProperties properties, int id) {
    MqttProperties.MqttProperty<?> property = properties.getProperty(id);
    return property == null ? null : property.value();
  }
}
