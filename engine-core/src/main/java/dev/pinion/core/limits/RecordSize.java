package dev.pinion.core.limits;

/** Size of the longest record of a journal, and its bound. */
final class RecordSize {
  /** Most bytes of JSON for one byte of an answer, or one character of a value: an escape. */
  private static final int BYTES_AS_JSON = 6;

  /** Most bytes in a record for one byte of a value that is JSON already. */
  private static final int BYTES_OF_VALUE = 2;

  private static final int MAX_BYTES = 256 << 20;

  /** Bytes of a record besides the limited input or answer. */
  private static final int BESIDE_BYTES = 64 << 10;

  private RecordSize() {}

  /**
   * Bytes of a record that holds any input within limits.
   *
   * @throws IllegalArgumentException when it is too long for a journal
   */
  static long of(
      RequestLimits request, InvokerLimits invoker, KernelLimits kernel, EventLimits events) {
    long longest = Math.max(content(request, invoker), event(request, events));
    long record = Math.max(kernel.maxRetryBytes(), longest) + BESIDE_BYTES;
    if (record > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected request.maxBodyBytes and invoker.maxResponseBytes to need records of at most "
              + MAX_BYTES
              + " bytes in the journal, found "
              + record
              + ": lower them");
    }
    return record;
  }

  private static long content(RequestLimits request, InvokerLimits invoker) {
    long answer = (long) BYTES_AS_JSON * invoker.maxResponseBytes();
    long start = (long) BYTES_OF_VALUE * request.maxBodyBytes();
    return Math.max(answer, start);
  }

  /** Bytes of an event with the values that it has in common with others. */
  private static long event(RequestLimits request, EventLimits events) {
    long event = (long) BYTES_OF_VALUE * request.maxBodyBytes();
    return event + (long) BYTES_AS_JSON * events.maxAttributeChars();
  }

  /**
   * Size of the longest value that such a record holds whatever its characters are, of which each
   * counts as one byte.
   */
  static int valueBytes(RequestLimits request, InvokerLimits invoker) {
    return (int) Math.min(Integer.MAX_VALUE, content(request, invoker) / BYTES_AS_JSON);
  }
}
