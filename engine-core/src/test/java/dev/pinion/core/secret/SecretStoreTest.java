package dev.pinion.core.secret;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.secret.SecretStore.SecretReading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The secrets of a replica, with a clock by hand. */
class SecretStoreTest {
  private final Map<String, String> values = new HashMap<>();
  private final List<String> reads = new ArrayList<>();
  private long nowNanos = 5;

  private final SecretSource source =
      new SecretSource() {
        @Override
        public @Nullable Payload read(String name) throws UnreadableSecretException {
          reads.add(name);
          if (name.equals("bad")) {
            throw new UnreadableSecretException("it is bad");
          }
          if (name.equals("worse")) {
            throw new IllegalStateException("canary");
          }
          String value = values.get(name);
          return value == null ? null : Payload.of(value);
        }

        @Override
        public String description() {
          return "a map";
        }
      };

  private SecretStore store(int most) {
    return new SecretStore(
        source,
        Runnable::run,
        () -> nowNanos,
        EngineLimits.defaults().with(Map.of("authentication.maxSecrets", most)).authentication());
  }

  private static SecretReading read(SecretStore store, String... names) {
    List<SecretReading> readings = new ArrayList<>();
    store.read(Set.of(names), readings::add);
    assertEquals(1, readings.size());
    return readings.getFirst();
  }

  private static WorkflowError error(SecretReading reading) {
    return assertInstanceOf(SecretReading.Unavailable.class, reading).error();
  }

  @Test
  void shouldReadASecretAgainAfterAWhile() {
    SecretStore store = store(10);
    values.put("a", "one");
    assertNull(store.fresh(Set.of("a")));
    read(store, "a");
    values.put("a", "two");

    nowNanos += MILLISECONDS.toNanos(1_000) - 1;
    assertEquals(Map.of("a", Payload.of("one")), store.fresh(Set.of("a")));
    read(store, "a");
    nowNanos++;
    assertNull(store.fresh(Set.of("a")));
    assertEquals(new SecretReading.Found(Map.of("a", Payload.of("two"))), read(store, "a"));
    assertEquals(List.of("a", "a"), reads);
  }

  @Test
  void shouldHaveNothingToReadForNoNames() {
    assertEquals(Map.of(), store(1).fresh(Set.of()));
  }

  @Test
  void shouldKeepAsManyAsAllowed() {
    SecretStore store = store(1);
    values.putAll(Map.of("a", "x", "b", "y"));
    read(store, "a");
    read(store, "b");

    assertNull(store.fresh(Set.of("a")));
    assertNotNull(store.fresh(Set.of("b")));
  }

  @Test
  void shouldForgetASecretThatIsGone() {
    SecretStore store = store(10);
    values.put("a", "x");
    read(store, "a");
    values.clear();
    nowNanos += MILLISECONDS.toNanos(1_000);

    WorkflowError error = error(read(store, "a"));

    assertEquals(ErrorType.AUTHORIZATION.uri(), error.type());
    assertEquals("expected a secret \"a\" in a map, found none", error.detail());
  }

  @Test
  void shouldSayWhyASecretCannotBeRead() {
    assertEquals("it is bad", error(read(store(10), "bad")).detail());
    WorkflowError worse = error(read(store(10), "worse"));
    assertFalse(String.valueOf(worse).contains("canary"));
  }

  @Test
  void shouldNotShowValues() {
    values.put("a", "canary");

    assertEquals("[a]", read(store(10), "a").toString());
  }
}
