package dev.pinion.core.limits;

/** Size of the longest record of a journal, and its bound. */
final class RecordSize {
  /** Most bytes of JSON for one byte of an answer, as {@code \\u0000}. */
  private static final int BYTES_AS_JSON = 6;

  private static final int MAX_BYTES = 256 << 20;

  /** Bytes of a record besides the limited input or answer. */
  private static final int BESIDE_BYTES = 64 << 10;

  private RecordSize() {}

  /**
   * Bytes of a record that holds any input within limits.
   *
   * @throws IllegalArgumentException when it is too long for a journal
   */
  static long of(RequestLimits request, InvokerLimits invoker, KernelLimits kernel) {
    long answer = (long) BYTES_AS_JSON * invoker.maxResponseBytes();
    long start = 2L * request.maxBodyBytes();
    long retried = kernel.maxRetryBytes();
    long record = Math.max(retried, Math.max(answer, start)) + BESIDE_BYTES;
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
}
