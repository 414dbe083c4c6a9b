package dev.pinion.core.limits;

import java.util.Map;
import java.util.TreeMap;

/** Shares of a replica's heap that limits of bytes have by default. */
final class HeapDefaults {
  private static final long MEBIBYTE = 1 << 20;

  /** Bytes of one start key. */
  private static final int BYTES_OF_KEY = 150;

  private HeapDefaults() {}

  /**
   * The shares.
   *
   * @param loops event loops of a kind; the share of each is divided by their number
   */
  static EngineLimits of(long heap, int loops) {
    long ofLoop = heap / 16 / loops;
    EngineLimits usual = EngineLimits.defaults();
    Map<String, Integer> shares = new TreeMap<>();
    shares.put("invoker.maxBufferedBytes", bytes(ofLoop, usual.invoker().maxBufferedBytes()));
    shares.put("kernel.maxHeldBytes", bytes(heap / 6, Integer.MAX_VALUE));
    shares.put("json.maxHeapBytes", bytes(heap / 8, Integer.MAX_VALUE));
    shares.put("kernel.maxEndedBytes", bytes(ofLoop, usual.kernel().maxEndedBytes()));
    shares.put("kernel.maxStartKeys", keys(ofLoop, usual.kernel().maxStartKeys()));
    shares.put(
        "request.maxBufferedBytes",
        Math.max(
            usual.request().maxBodyBytes(), bytes(ofLoop, usual.request().maxBufferedBytes())));
    shares.put("request.maxUnsentBytes", bytes(heap / 8, usual.request().maxUnsentBytes()));
    shares.put("handlers.maxQueuedBytes", bytes(heap / 32, usual.handlers().maxQueuedBytes()));
    shares.put("handlers.maxOnewayBytes", bytes(heap / 32, usual.handlers().maxOnewayBytes()));
    shares.put("events.maxWaitingBytes", bytes(heap / 32, usual.events().maxWaitingBytes()));
    shares.put("events.maxTableBytes", bytes(heap / 64, Integer.MAX_VALUE));
    return usual.with(shares);
  }

  private static int bytes(long share, int most) {
    return (int) Math.clamp(share, MEBIBYTE, most);
  }

  private static int keys(long share, int most) {
    return (int) Math.min(share / BYTES_OF_KEY, most);
  }

  /**
   * Checks that limits fit a heap.
   *
   * @param loops event loops of a kind, each of which has bytes of its own
   */
  static void require(EngineLimits limits, long heap, int loops) {
    requireOutside(limits.request().maxUnsentBytes(), heap);
    Map<String, Long> parts = new TreeMap<>();
    parts.put("three times kernel.maxHeldBytes", 3L * limits.kernel().maxHeldBytes());
    parts.put(
        loops + " times kernel.maxEndedBytes",
        ofLoops(limits.kernel().maxEndedBytes(), MEBIBYTE, loops));
    parts.put(
        loops + " times request.maxBufferedBytes",
        ofLoops(limits.request().maxBufferedBytes(), limits.request().maxBodyBytes(), loops));
    parts.put("handlers.maxQueuedBytes", (long) limits.handlers().maxQueuedBytes());
    parts.put("handlers.maxOnewayBytes", (long) limits.handlers().maxOnewayBytes());
    parts.put("events.maxWaitingBytes", (long) limits.events().maxWaitingBytes());
    parts.put("events.maxTableBytes", (long) limits.events().maxTableBytes());
    long sum = parts.values().stream().mapToLong(Long::longValue).sum();
    long most = heap - heap / 4;
    if (sum > most || limits.json().maxHeapBytes() > heap / 2) {
      throw new IllegalArgumentException(
          "expected limits of at most "
              + most
              + " bytes in all, three quarters of the heap of "
              + heap
              + ", and json.maxHeapBytes of at most half of it, found "
              + sum
              + " and "
              + limits.json().maxHeapBytes()
              + " ("
              + parts
              + "): lower them, or give each replica more heap by --heap");
    }
  }

  /**
   * Bytes of all loops. The least that a loop has by default counts once: with more loops than a
   * small heap has shares for, admission refuses first.
   */
  private static long ofLoops(long ofLoop, long least, int loops) {
    return ofLoop + Math.max(0, ofLoop - least) * (loops - 1);
  }

  /**
   * Checks responses on their way, which are off the heap, where there is as much memory as in it.
   */
  private static void requireOutside(int maxUnsentBytes, long heap) {
    if (maxUnsentBytes > heap / 2) {
      throw new IllegalArgumentException(
          "expected request.maxUnsentBytes of at most "
              + heap / 2
              + ", half of the memory outside of the heap, which is as large as the heap, found "
              + maxUnsentBytes
              + ": lower it, or give each replica more heap by --heap");
    }
  }
}
