package dev.pinion.core.secret;

import dev.pinion.core.limits.AuthenticationLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of a replica: reads each on a thread that may wait, and uses it for a bounded time
 * without another look, so that a change takes effect without a restart. For any thread.
 */
public final class SecretStore {
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD = 0.75f;

  private final SecretSource source;
  private final Executor reader;
  private final LongSupplier nanos;
  private final long freshNanos;
  private final Map<String, ReadSecret> known;

  private record ReadSecret(Payload value, long readNanos) {}

  /** Secrets that were asked for, or why there is one that cannot be had. */
  public sealed interface SecretReading {
    /**
     * All of them.
     *
     * @param values values by name
     */
    record Found(Map<String, Payload> values) implements SecretReading {
      /** The names alone. */
      @Override
      public String toString() {
        return values.keySet().toString();
      }
    }

    /**
     * Not all of them.
     *
     * @param error names a secret, and no value
     */
    record Unavailable(WorkflowError error) implements SecretReading {}
  }

  /**
   * Secrets of a source.
   *
   * @param reader runs reads, which may wait
   * @param nanos monotonic time
   */
  public SecretStore(
      SecretSource source, Executor reader, LongSupplier nanos, AuthenticationLimits limits) {
    this.source = source;
    this.reader = reader;
    this.nanos = nanos;
    this.freshNanos = TimeUnit.MILLISECONDS.toNanos(limits.secretMillis());
    this.known =
        new LinkedHashMap<>(INITIAL_CAPACITY, LOAD, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, ReadSecret> eldest) {
            return size() > limits.maxSecrets();
          }
        };
  }

  /** The secrets of some names when each was read just now; else null, and they must be read. */
  public @Nullable Map<String, Payload> fresh(Set<String> names) {
    Map<String, Payload> values = new TreeMap<>();
    for (String name : names) {
      Payload value = fresh(name);
      if (value == null) {
        return null;
      }
      values.put(name, value);
    }
    return values;
  }

  private synchronized @Nullable Payload fresh(String name) {
    ReadSecret read = known.get(name);
    return read != null && nanos.getAsLong() - read.readNanos < freshNanos ? read.value : null;
  }

  /**
   * Reads secrets.
   *
   * @param then called once, on the thread of the reader
   * @throws java.util.concurrent.RejectedExecutionException when the reader takes no more
   */
  public void read(Set<String> names, Consumer<SecretReading> then) {
    reader.execute(() -> then.accept(readNow(names)));
  }

  private SecretReading readNow(Set<String> names) {
    Map<String, Payload> values = new TreeMap<>();
    for (String name : names) {
      Payload value = fresh(name); // perhaps read for an earlier call
      try {
        value = value == null ? source.read(name) : value;
      } catch (UnreadableSecretException e) {
        return failed(String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        return failed(
            "the secret \"" + name + "\" could not be read: " + e.getClass().getSimpleName());
      }
      if (value == null) {
        forget(name);
        return failed(
            "expected a secret \"" + name + "\" in " + source.description() + ", found none");
      }
      keep(name, value);
      values.put(name, value);
    }
    return new SecretReading.Found(values);
  }

  private synchronized void keep(String name, Payload value) {
    ReadSecret before = known.get(name);
    if (before == null || nanos.getAsLong() - before.readNanos >= freshNanos) {
      known.put(name, new ReadSecret(value, nanos.getAsLong()));
    }
  }

  private synchronized void forget(String name) {
    known.remove(name);
  }

  private static SecretReading failed(String detail) {
    return new SecretReading.Unavailable(WorkflowError.of(ErrorType.AUTHORIZATION, detail));
  }
}
