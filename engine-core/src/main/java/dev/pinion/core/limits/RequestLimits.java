package dev.pinion.core.limits;

/** Bounds of the requests over HTTP, for each Request Handler. */
public record RequestLimits(
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "open client connections of the replica; idle ones are closed near the bound, "
                    + "further ones wait. Lowered at start to what open files allow")
        int maxConnections,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says = "requests being answered or waiting; more: 503")
        int maxRequests,
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of a request body; more: 413")
        int maxBodyBytes,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says = "bytes of unfinished request bodies of one Request Handler; more: 503")
        int maxBufferedBytes,
    @Limit(value = 8 << 10, min = 256, max = 1 << 20, says = "bytes of the request line; more: 414")
        int maxUriBytes,
    @Limit(
            value = 16 << 10,
            min = 256,
            max = 1 << 20,
            says = "bytes of all header fields; more: 431")
        int maxHeaderBytes,
    @Limit(value = 100, min = 8, max = 10_000, says = "header fields; more: 431") int maxHeaders,
    @Limit(
            value = 10_000,
            min = 10,
            max = 600_000,
            says = "time from the first byte of a request to the end of its head; longer: 408")
        int headTimeoutMillis,
    @Limit(
            value = 1_000,
            min = 0,
            max = 1 << 30,
            says = "least mean rate of a body after five seconds; slower: 408")
        int minBodyBytesPerSecond,
    @Limit(
            value = 60_000,
            min = 10,
            max = 3_600_000,
            says = "time that a connection may stay open without a request")
        int idleTimeoutMillis,
    @Limit(
            value = 30_000,
            min = 0,
            max = 3_600_000,
            says = "time that a start waits for its end when the client names none")
        int defaultWaitMillis,
    @Limit(
            value = 300_000,
            min = 0,
            max = 3_600_000,
            says = "longest time that a client may ask to wait")
        int maxWaitMillis,
    @Limit(value = 500, min = 1, max = 10_000, says = "items of one page of a list") int maxListed,
    @Limit(
            value = 32,
            min = 1,
            max = 1_000_000,
            says =
                "with several replicas, starts that a Request Handler offers to kernels before one "
                    + "is accepted; further ones wait where idle replicas can take them")
        int startsAhead,
    @Limit(value = 255, min = 1, max = 4_096, says = "characters of an Idempotency-Key; more: 400")
        int maxKeyChars,
    @Limit(value = 255, min = 1, max = 4_096, says = "characters of a business key; more: 400")
        int maxBusinessKeyChars,
    @Limit(value = 16, min = 0, max = 1_000, says = "labels of a start; more: 400") int maxLabels,
    @Limit(
            value = 255,
            min = 1,
            max = 4_096,
            says = "characters of a label's name, and of its value; more: 400")
        int maxLabelChars,
    @Limit(
            value = 6,
            min = 1,
            max = 3_600,
            says = "seconds' worth of contracted starts that may come at once; at least one start")
        int contractBurstSeconds,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "bytes off the heap of responses that clients of the replica have not read; beyond "
                    + "it the slowest reader's connection is closed")
        int maxUnsentBytes,
    @Limit(
            value = 2_048,
            min = 1,
            max = 65_535,
            says = "connections to one other replica. Lowered at start to what open files allow")
        int maxPeerConnections,
    @Limit(
            value = 10_000,
            min = 0,
            max = 1_000_000,
            says =
                "requests of one event loop that wait for a connection to one other replica; for "
                    + "more that replica counts as unreachable")
        int maxPeerWaiting,
    @Limit(
            value = 256 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says = "bytes of a response of another replica; with more its connection is closed")
        int maxPeerResponseBytes,
    @Limit(
            value = 16 << 10,
            min = 0,
            max = 1 << 20,
            says =
                "with several replicas, bytes of the body of a start that may wait for an idle "
                    + "replica; larger ones are offered to kernels at once")
        int maxWaitingStartBytes,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says = "lists that a Request Handler makes at a time; more: 503")
        int maxLists) {
  /**
   * The least capacity of the lane through which kernels answer a Request Handler: two replies to
   * each request under way (accepted and ended), each kernel's part of each list under way, and the
   * same again for replies that arrive after their request was dropped.
   *
   * @param kernels number of kernels
   */
  public int replyCapacity(int kernels) {
    return 2 * (2 * maxRequests + maxLists * kernels);
  }
}
