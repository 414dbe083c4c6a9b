package dev.pinion.bootstrap.history.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.bootstrap.settings.LifecycleSinkSpec;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.LifecycleEventType;
import dev.pinion.core.spi.Subscriptions.InvalidSubscriptionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionStoreTest {
  private static final long NOW = 1_700_000_000_000L;

  @TempDir private Path data;

  private final EngineLimits limits =
      EngineLimits.defaults()
          .with(Map.of("publish.maxSubscriptions", 2, "publish.maxLeaseSeconds", 100_000));
  private final FakeClock clock = new FakeClock();

  private static final class FakeClock implements Clock {
    private long millis = NOW;

    @Override
    public long nanoTime() {
      return millis * 1_000_000;
    }

    @Override
    public long epochMillis() {
      return millis;
    }

    @Override
    public String scale() {
      return "test";
    }
  }

  private SubscriptionStore folder() {
    return new SubscriptionStore(data, limits, SinkPolicy.DEFAULT, clock);
  }

  private static Payload json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static final String WHOLE =
      """
      {"sink": "https://localhost:1/a", "types": ["dev.pinion.task.completed"], "namespace": "n",
       "definition": "d", "mode": "binary", "transform": ".data.output", "mediaType": "text/plain",
       "leaseSeconds": 60}
      """;

  @Test
  void shouldKeepWhatWasMade() throws Exception {
    Subscription made = folder().create(json(WHOLE));
    Subscription found = folder().find(made.id()); // as seen by another process
    assertEquals(made, found);
    assertEquals(Set.of(EventKind.TASK_COMPLETED), made.selection().kinds());
    assertEquals(Set.of(), made.selection().lifecycle());
    assertEquals(NOW + 60_000, made.expiresMillis());
    assertTrue(made.matches(EventKind.TASK_COMPLETED, "n", "d"));
    assertFalse(made.matches(EventKind.TASK_COMPLETED, "n", "other"));
    assertFalse(made.matches(EventKind.TASK_COMPLETED, "other", "d"));
    assertFalse(made.matches(EventKind.INSTANCE_COMPLETED, "n", "d"));
    assertEquals(List.of(made), folder().list());
  }

  @Test
  void shouldTellEndsToWhoNamesNothing() throws Exception {
    Subscription made = folder().create(json("{\"sink\":\"http://localhost/\"}"));
    assertEquals(EventSelection.ENDS, made.selection());
    assertFalse(made.isStanding());
    assertEquals(Subscription.ContentMode.STRUCTURED, made.mode());
    assertEquals(NOW + 86_400_000L, made.expiresMillis());
    assertTrue(made.matches(EventKind.INSTANCE_FAULTED, "any", "any"));
  }

  @Test
  void shouldKeepLifecycleEventsBesideOthers() throws Exception {
    Subscription made =
        folder()
            .create(
                json(
                    """
                    {"sink": "http://localhost/", "types": [
                      "io.serverlessworkflow.task.status-changed.v1",
                      "io.serverlessworkflow.workflow.started.v1", "dev.pinion.task.skipped"]}
                    """));

    assertEquals(made, folder().find(made.id()));
    assertEquals(Set.of(EventKind.TASK_SKIPPED), made.selection().kinds());
    assertEquals(
        Set.of(LifecycleEventType.WORKFLOW_STARTED, LifecycleEventType.TASK_STATUS_CHANGED),
        made.selection().lifecycle());
    for (EventKind kind :
        List.of(EventKind.INSTANCE_STARTED, EventKind.TASK_SKIPPED, EventKind.TIMER_STARTED)) {
      assertTrue(made.matches(kind, "n", "d"), kind::name);
    }
    assertFalse(made.matches(EventKind.INSTANCE_COMPLETED, "n", "d"));
    assertEquals(
        "[\"dev.pinion.task.skipped\",\"io.serverlessworkflow.task.status-changed.v1\","
            + "\"io.serverlessworkflow.workflow.started.v1\"]",
        String.valueOf(made.toPayload().member("types")));
  }

  @Test
  void shouldRenewChangeExpireAndForget() throws Exception {
    SubscriptionStore folder = folder();
    String id = folder.create(json(WHOLE)).id();
    clock.millis += 59_999;
    Subscription renewed = folder.change(id, json("{\"mode\":\"structured\",\"transform\":null}"));
    assertNotNull(renewed);
    assertEquals(NOW + 59_999 + 60_000, renewed.expiresMillis());
    assertEquals(Subscription.ContentMode.STRUCTURED, renewed.mode());
    assertNull(renewed.transform());
    assertEquals("d", renewed.definition());
    assertThrows(
        InvalidSubscriptionException.class,
        () -> folder.change(id, json("{\"sink\":\"file:/etc\"}")));
    assertEquals(renewed, folder.find(id));

    clock.millis = renewed.expiresMillis();
    assertNull(folder.find(id));
    assertNull(folder.change(id, Payload.EMPTY_OBJECT));
    assertEquals(List.of(), folder.list());
    folder.sweep();
    assertEquals(1, files(), "files within the time of grace");
    clock.millis += SubscriptionStore.GRACE_MILLIS;
    folder.sweep();
    assertEquals(0, files(), "files");
  }

  private long files() throws IOException {
    try (var files = Files.list(data.resolve("subscriptions"))) {
      return files.count();
    }
  }

  @Test
  void shouldRefuseMoreThanTheLimitUntilOneEnds() throws Exception {
    SubscriptionStore folder = folder();
    Payload wish = json("{\"sink\":\"http://localhost/\"}");
    String first = folder.create(wish).id();
    folder.create(wish);
    InvalidSubscriptionException invalidSubscriptionException =
        assertThrows(InvalidSubscriptionException.class, () -> folder.create(wish));
    assertEquals("publish.maxSubscriptions", invalidSubscriptionException.limit());
    assertTrue(folder.delete(first));
    assertFalse(folder.delete(first));
    folder.create(wish);
  }

  @Test
  void shouldTakeLeasesUpToTheLimit() throws Exception {
    String wish = "{\"sink\":\"http://localhost/\",\"leaseSeconds\":%d}";
    assertEquals(100_000, folder().create(json(wish.formatted(100_000))).leaseSeconds());
    assertThrows(
        InvalidSubscriptionException.class, () -> folder().create(json(wish.formatted(100_001))));
    assertThrows(
        InvalidSubscriptionException.class, () -> folder().create(json(wish.formatted(0))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"sink\":1}",
        "{\"sink\":\"ftp://localhost/\"}",
        "{\"sink\":\"http:///path\"}",
        "{\"sink\":\"http://169.254.169.254/latest/meta-data/\"}",
        "{\"sink\":\"http://[::ffff:169.254.169.254]/\"}",
        "{\"sink\":\"http://user:secret@localhost/\"}",
        "{\"sink\":\"http://localhost/#here\"}",
        "{\"sink\":\"http://localhost/\",\"types\":[]}",
        "{\"sink\":\"http://localhost/\",\"types\":[\"dev.pinion.instance.ended\"]}",
        "{\"sink\":\"http://localhost/\",\"mode\":\"batch\"}",
        "{\"sink\":\"http://localhost/\",\"transform\":\".a |\"}",
        "{\"sink\":\"http://localhost/\",\"transform\":\"$x\"}",
        "{\"sink\":\"http://localhost/\",\"mediaType\":\"text\"}",
        "{\"sink\":\"http://localhost/\",\"mediaType\":\"text/plain\\r\\nX: y\"}",
        "{\"sink\":\"http://localhost/\",\"id\":\"s_1\"}",
        "{\"sink\":\"http://localhost/\",\"sinks\":1}"
      })
  void shouldRefuseWhatItDoesNotUnderstand(String wish) throws IOException {
    InvalidSubscriptionException invalidSubscriptionException =
        assertThrows(InvalidSubscriptionException.class, () -> folder().create(json(wish)));
    assertTrue(
        String.valueOf(invalidSubscriptionException.getMessage()).startsWith("expected "),
        invalidSubscriptionException::getMessage);
    assertNull(invalidSubscriptionException.limit());
    assertEquals(List.of(), folder().list());
  }

  @Test
  void shouldNotFindWhatIsNoId() throws Exception {
    Files.createDirectories(data.resolve("subscriptions"));
    Files.writeString(data.resolve("secret.json"), "{}");
    assertNull(folder().find("../secret"));
    assertFalse(folder().delete("../secret"));
  }

  @Test
  void shouldGoOnWithoutOneThatIsDamaged() throws Exception {
    Subscription good = folder().create(json(WHOLE));
    Path bad = data.resolve("subscriptions").resolve("s_" + "0".repeat(32) + ".json");
    Files.writeString(bad, "{\"sink\":");
    assertEquals(List.of(good), folder().list());
    IOException told = assertThrows(IOException.class, () -> folder().find("s_" + "0".repeat(32)));
    assertTrue(String.valueOf(told.getMessage()).contains(bad.toString()), told::getMessage);
  }

  @Test
  void shouldHaveThoseOfTheConfigurationBesideOthers() throws Exception {
    List<Subscription> standing =
        StandingSubscriptions.of(
            LifecycleSinkSpec.parse("audit@shop"),
            EventSinkSpec.parse("other=http://o,audit=http://a/events"));
    ActiveSubscriptions list = new ActiveSubscriptions(folder(), clock);
    list.add(standing);
    assertFalse(list.refresh(), "no folder yet");
    assertEquals(standing, list.all());
    Subscription made = folder().create(json(WHOLE));
    assertTrue(list.refresh());
    assertEquals(List.of(standing.getFirst(), made), list.all());

    Subscription sink = standing.getFirst();
    assertEquals("audit@shop", sink.id());
    assertEquals("http://a/events", sink.sink().toString());
    assertTrue(sink.isStanding());
    assertTrue(sink.isInForce(Long.MAX_VALUE - 1));
    assertTrue(sink.matches(EventKind.TASK_RETRIED, "shop", "any"));
    assertFalse(sink.matches(EventKind.TASK_RETRIED, "other", "any"));
    assertFalse(sink.matches(EventKind.TIMER_STARTED, "shop", "any"), "status alone");
  }

  @Test
  void shouldSeeChangesOfOthersAndExpiries() throws Exception {
    clock.millis = System.currentTimeMillis();
    ActiveSubscriptions list = new ActiveSubscriptions(folder(), clock);
    assertFalse(list.refresh(), "no folder yet");
    Subscription made = folder().create(json(WHOLE));
    assertTrue(list.refresh());
    assertEquals(List.of(made), list.all());
    clock.millis += 1_000; // the time of the folder is trusted now
    assertTrue(list.refresh());
    assertFalse(list.refresh(), "nothing has changed");
    Subscription renewed = folder().change(made.id(), json("{\"leaseSeconds\":30}"));
    assertTrue(list.refresh());
    assertEquals(List.of(renewed), list.all());
    clock.millis += 30_000;
    assertTrue(list.refresh());
    assertEquals(List.of(), list.all());
  }
}
