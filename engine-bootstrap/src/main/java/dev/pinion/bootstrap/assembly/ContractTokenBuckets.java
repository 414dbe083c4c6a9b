package dev.pinion.bootstrap.assembly;

import dev.pinion.core.binding.Throttle;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Token buckets of contracts, in memory that all replicas of an engine share, so that a contract's
 * rate applies to all of them together however starts are distributed. A bucket is one number: the
 * time at which it would be full again (the virtual scheduling form of the generic cell rate
 * algorithm, ITU-T I.371, annex A); a start advances it by one compare-and-set. No process is
 * involved, and a killed one leaves nothing locked.
 *
 * <pre>
 *   full again at T    now ≥ T: full              T - now ≤ burst - 1/rate: within, T += 1/rate
 *                                                 else beyond, and T stays
 * </pre>
 *
 * <p>Buckets are found by the first eight bytes of a hash of class and user. Starts without space
 * for a bucket are not limited, and are counted. Times are of the monotonic clock, which all
 * processes of a machine share. For any thread.
 */
final class ContractTokenBuckets implements Throttle {
  /** Capacity in buckets: more than the most contracts at a time. */
  static final int MAX_BUCKETS = 1 << 15;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int BUCKET_BYTES = 2 * Long.BYTES; // name, time
  private static final int NO_ROOM = -1;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ByteBuffer shared;
  private final long burstNanos;
  private final LongSupplier nanos;
  private final Map<ContractKey, Integer> places = new ConcurrentHashMap<>();
  private final Map<String, Counts> counts = new ConcurrentHashMap<>();

  private record ContractKey(String serviceClass, String user) {}

  private record Counts(LongAdder within, LongAdder beyond, LongAdder untracked) {
    Counts() {
      this(new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  private ContractTokenBuckets(ByteBuffer shared, int burstSeconds, LongSupplier nanos) {
    this.shared = shared;
    this.burstNanos = TimeUnit.SECONDS.toNanos(burstSeconds);
    this.nanos = nanos;
  }

  /**
   * Buckets in a file that other processes of this machine share; created if missing.
   *
   * @param burstSeconds largest burst, in seconds of a contract's rate
   * @param clock clock with the monotonic scale of the other processes
   */
  static ContractTokenBuckets in(Path file, int burstSeconds, Clock clock) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer mapped =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) MAX_BUCKETS * BUCKET_BYTES);
      return new ContractTokenBuckets(mapped, burstSeconds, clock::nanoTime);
    }
  }

  /** Buckets of this process alone. */
  static ContractTokenBuckets own(int burstSeconds, Clock clock) {
    ByteBuffer own =
        ByteBuffer.allocateDirect(MAX_BUCKETS * BUCKET_BYTES + Long.BYTES).alignedSlice(Long.BYTES);
    return new ContractTokenBuckets(own, burstSeconds, clock::nanoTime);
  }

  @Override
  public long take(String serviceClass, String user, double rate) {
    int place = slot(new ContractKey(serviceClass, user));
    Counts ofClass = counts.computeIfAbsent(serviceClass, _ -> new Counts());
    if (place == NO_ROOM) {
      ofClass.untracked.increment();
      return 0;
    }
    long wait = take(place, Math.max(1, (long) (NANOS_PER_SECOND / rate)));
    (wait == 0 ? ofClass.within : ofClass.beyond).increment();
    return wait;
  }

  private long take(int place, long intervalNanos) {
    long now = nanos.getAsLong();
    long tolerance = Math.max(0, burstNanos - intervalNanos);
    while (true) {
      long full = (long) LONGS.getVolatile(shared, place);
      long from = full == 0 || full - now < 0 ? now : full;
      long ahead = from - now;
      if (ahead > tolerance) {
        return ahead - tolerance;
      }
      if (LONGS.compareAndSet(shared, place, full, from + intervalNanos)) {
        return 0;
      }
    }
  }

  /** Position of a bucket's time. */
  private int slot(ContractKey contractKey) {
    Integer known = places.get(contractKey);
    if (known != null) {
      return known;
    }
    int found = find(name(contractKey));
    if (found != NO_ROOM) { // so that only buckets with space are cached
      places.put(contractKey, found);
    }
    return found;
  }

  private int find(long name) {
    for (int probe = 0; probe < MAX_BUCKETS; probe++) {
      int at = (((int) name + probe) & (MAX_BUCKETS - 1)) * BUCKET_BYTES;
      long there = (long) LONGS.compareAndExchange(shared, at, 0L, name);
      if (there == 0 || there == name) {
        return at + Long.BYTES;
      }
    }
    return NO_ROOM;
  }

  private static long name(ContractKey contractKey) {
    try {
      byte[] text =
          (contractKey.serviceClass + '\n' + contractKey.user).getBytes(StandardCharsets.UTF_8);
      long name = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text)).getLong();
      return name == 0 ? 1 : name; // 0 means no bucket
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected a JDK that knows SHA-256", e);
    }
  }

  /** Adds the counters of this process; none before the first start. */
  void addMetrics(MetricFamilies families) {
    for (Map.Entry<String, Counts> each : new TreeMap<>(counts).entrySet()) {
      add(families, each.getKey(), "within", each.getValue().within);
      add(families, each.getKey(), "beyond", each.getValue().beyond);
      add(families, each.getKey(), "untracked", each.getValue().untracked);
    }
  }

  private static void add(
      MetricFamilies families, String serviceClass, String outcome, LongAdder sum) {
    families.counter(
        "pinion_contract_starts_total",
        "Starts by how they are to contracts.",
        sum.sum(),
        "class",
        serviceClass,
        "outcome",
        outcome);
  }
}
