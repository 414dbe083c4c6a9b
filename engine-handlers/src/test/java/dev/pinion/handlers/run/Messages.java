package dev.pinion.handlers.run;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Messages and chains for tests. */
final class Messages {
  static final EngineLimits LIMITS = EngineLimits.defaults();

  private Messages() {}

  static Message of(String json) {
    return new Message(
        new MessageId(1, 2),
        Point.REQUEST_IN,
        new TreeMap<>(Map.of("http.method", "POST")),
        Body.of(json.getBytes(StandardCharsets.UTF_8), "application/json"));
  }

  static Chain chain(Workers workers, Step... steps) {
    return new Chain(
        ChainPlan.inOrder("test", List.of(steps), ChainOptions.DEFAULT), workers, LIMITS);
  }

  /** Sends a message through and waits for the outcome, for at most half a minute. */
  static Outcome through(MessageGateway messageGateway, Message message) throws Exception {
    return entering(messageGateway, message).get(30, TimeUnit.SECONDS);
  }

  /** Sends a message in; the future fails when it receives an outcome twice. */
  static CompletableFuture<Outcome> entering(MessageGateway messageGateway, Message message) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    messageGateway.enter(
        message,
        outcome,
        (context, end) -> {
          if (!context.complete(end)) {
            context.obtrudeException(new AssertionError("a second outcome: " + end));
          }
        });
    return outcome;
  }

  static String json(Outcome outcome) {
    Message message = ((Outcome.Proceed) outcome).message();
    return new String(
        message.body().bytes(new PayloadCodec(LIMITS.json())), StandardCharsets.UTF_8);
  }
}
