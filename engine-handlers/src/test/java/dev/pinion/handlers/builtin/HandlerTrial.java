package dev.pinion.handlers.builtin;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assertions;

/** Runs handlers by hand, and checks them against their declarations. */
public final class HandlerTrial {
  public static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private HandlerTrial() {}

  /** A handler of valid settings. */
  public static Handler handler(HandlerFactory factory, String settings) throws Exception {
    Settings given = settings(settings);
    Handler handler = factory.create(given);
    given.refuseUnknown();
    Assertions.assertEquals(List.of(), given.problems());
    return handler;
  }

  /** The problems of settings, as text. */
  public static String problems(HandlerFactory factory, String settings) throws Exception {
    Settings given = settings(settings);
    try {
      factory.create(given).close();
    } catch (IllegalArgumentException e) {
      Assertions.assertFalse(given.problems().isEmpty(), "what stopped it is told as a problem");
    }
    given.refuseUnknown();
    return given.problems().stream().map(SettingProblem::toString).toList().toString();
  }

  private static Settings settings(String json) throws Exception {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new Settings(CODEC.read(bytes, 0, bytes.length), "/settings");
  }

  public static Message message(Map<String, String> properties, Body body) {
    return Message.of(MessageId.random(), Point.REQUEST_IN, properties, body);
  }

  public static Message message(Map<String, String> properties) {
    return message(properties, Body.of(Payload.EMPTY_OBJECT));
  }

  public static Body json(String text) {
    return Body.of(text.getBytes(StandardCharsets.UTF_8), Body.JSON);
  }

  public static Verdict verdict(Handler handler, Message message) throws Exception {
    return handler.handle(View.of(message, handler.declaration()));
  }

  /** The message after a handler that lets it continue, with declared changes. */
  public static Message after(Handler handler, Message message) throws Exception {
    Changes changes = assertInstanceOf(Verdict.GoOn.class, verdict(handler, message)).changes();
    for (Changes.Change change : changes.list()) {
      Slot slot = change.slot();
      Assertions.assertTrue(
          handler.declaration().writes().stream().anyMatch(each -> each.covers(slot)),
          () -> slot + " is declared");
    }
    return message.with(changes, CODEC);
  }

  /** The status and detail with which a handler that may stop messages stops one. */
  public static String stopped(Handler handler, Message message) throws Exception {
    Assertions.assertTrue(handler.declaration().stops(), "it is declared to stop messages");
    return switch (verdict(handler, message)) {
      case Verdict.Refuse(var problem) -> problem.status() + " " + problem.detail();
      case Verdict.Answer answer ->
          answer.status() + " " + answer.headers() + " " + text(answer.body());
      case Verdict.GoOn _ -> Assertions.fail("expected it to stop, found it going on");
    };
  }

  /** A property that must exist. */
  public static String property(Message message, String name) {
    String value = message.properties().get(name);
    Assertions.assertNotNull(value, name);
    return Objects.requireNonNull(value);
  }

  public static String text(Body body) {
    return new String(body.bytes(CODEC), StandardCharsets.UTF_8);
  }

  /** A clock that a test moves. */
  public static final class Hands implements Clock {
    private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);

    public void advance(long byMillis) {
      millis.addAndGet(byMillis);
    }

    @Override
    public long nanoTime() {
      return millis.get() * 1_000_000;
    }

    @Override
    public long epochMillis() {
      return millis.get();
    }

    @Override
    public String scale() {
      return "by hand";
    }
  }
}
