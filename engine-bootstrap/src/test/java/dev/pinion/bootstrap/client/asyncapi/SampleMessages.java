package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessagePublish;
import dev.pinion.core.model.call.MessageServer;
import dev.pinion.core.model.call.MessageSubscription;
import dev.pinion.core.model.call.MessageSubscription.Progress;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages, subscriptions and settings of tests. */
final class SampleMessages {
  private static final String HOST = "127.0.0.1";

  private SampleMessages() {}

  static ProtocolSettings settings(Map<String, Integer> limits) throws IOException {
    return new ProtocolSettings(
        EngineLimits.defaults().with(limits),
        ClientTls.load(null),
        Set.of(),
        ThreadSetup.NONE,
        Clock.system());
  }

  static AsyncApiClient client(Map<String, Integer> limits) throws IOException {
    return new AsyncApiClient(settings(limits));
  }

  static MessageContent content() {
    return new MessageContent(EngineLimits.defaults());
  }

  /** A channel on this machine. */
  static MessageEndpoint endpoint(MessageProtocol protocol, int port, String address) {
    return endpoint(protocol, port, address, MessageOptions.DEFAULT);
  }

  static MessageEndpoint endpoint(
      MessageProtocol protocol, int port, String address, MessageOptions options) {
    return new MessageEndpoint(
        protocol,
        new MessageServer(HOST, port, false, ""),
        address,
        "application/json",
        options,
        null);
  }

  static HttpCall carrier(
      MessageEndpoint endpoint, @Nullable Payload body, HeaderField... headers) {
    return new HttpCall(
        "POST",
        "http://" + endpoint.server() + "/" + endpoint.address(),
        List.of(headers),
        body,
        HttpCall.Output.CONTENT,
        false);
  }

  static MessagePublish publish(MessageEndpoint endpoint, String payload, HeaderField... headers) {
    return new MessagePublish(endpoint, carrier(endpoint, InvokerStub.json(payload), headers));
  }

  /** The first request of a subscription. */
  static MessageSubscription subscription(
      MessageEndpoint endpoint, String key, HeaderField... headers) {
    return new MessageSubscription(endpoint, carrier(endpoint, null, headers), Progress.NONE, key);
  }

  /** Authorization by user and password. */
  static HeaderField basic(String user, String password) {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new HeaderField("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
  }

  /** A message of JSON that came. */
  static InboundMessage received(String json, Runnable acknowledgement) {
    return new InboundMessage(
        json.getBytes(StandardCharsets.UTF_8), null, Map.of(), null, acknowledgement);
  }

  static InboundMessage received(String json) {
    return received(json, InboundMessage.NO_ACKNOWLEDGEMENT);
  }

  /** What a task gets of a message without headers. */
  static Payload value(String json) {
    return InvokerStub.json("{\"payload\": " + json + ", \"headers\": {}}");
  }
}
