package dev.pinion.core.limits;

/** Bounds of the requests over HTTP, for each Request Handler. */
public record RequestLimits(
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "open client connections of the replica; idle ones are closed near the bound, "
                    + "and further ones wait to be accepted. Lowered at start to what the limit of "
                    + "open files leaves")
        int maxConnections,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "requests being answered, waiting ones included; a further one is answered "
                    + "503")
        int maxRequests,
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of one request body; more is answered 413")
        int maxBodyBytes,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "bytes of unfinished request bodies of all connections of one Request Handler; "
                    + "more is answered 503")
        int maxBufferedBytes,
    @Limit(
            value = 8 << 10,
            min = 256,
            max = 1 << 20,
            says = "bytes of the request line; more is answered 414")
        int maxUriBytes,
    @Limit(
            value = 16 << 10,
            min = 256,
            max = 1 << 20,
            says = "bytes of all header fields; more is answered 431")
        int maxHeaderBytes,
    @Limit(
            value = 100,
            min = 8,
            max = 10_000,
            says = "number of header fields; more is answered 431")
        int maxHeaders,
    @Limit(
            value = 10_000,
            min = 10,
            max = 600_000,
            says =
                "time from the first byte of a request to the end of its head; longer is "
                    + "answered 408")
        int headTimeoutMillis,
    @Limit(
            value = 1_000,
            min = 0,
            max = 1 << 30,
            says =
                "least mean rate of a body after the first five seconds; slower is answered "
                    + "408")
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
            says = "time a start waits for the end of its instance when the client names none")
        int defaultWaitMillis,
    @Limit(
            value = 300_000,
            min = 0,
            max = 3_600_000,
            says = "the longest time that a client may ask to wait")
        int maxWaitMillis,
    @Limit(value = 500, min = 1, max = 10_000, says = "most items of one page of a list")
        int maxListed,
    @Limit(
            value = 32,
            min = 1,
            max = 1_000_000,
            says =
                "with several replicas, starts that a Request Handler offers to kernels "
                    + "before one of them is accepted; further ones wait where idle replicas can "
                    + "take them")
        int startsAhead,
    @Limit(
            value = 255,
            min = 1,
            max = 4_096,
            says = "characters of the Idempotency-Key of a start; more is answered 400")
        int maxKeyChars,
    @Limit(
            value = 255,
            min = 1,
            max = 4_096,
            says = "characters of the business key of a start; more is answered 400")
        int maxBusinessKeyChars,
    @Limit(value = 16, min = 0, max = 1_000, says = "labels of a start; more is answered 400")
        int maxLabels,
    @Limit(
            value = 255,
            min = 1,
            max = 4_096,
            says = "characters of the name, and of the value, of a label; more is answered 400")
        int maxLabelChars,
    @Limit(
            value = 6,
            min = 1,
            max = 3_600,
            says =
                "seconds' worth of starts at the contracted rate that may come at once within "
                    + "the contract; at least one start")
        int contractBurstSeconds,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "bytes of responses that wait for clients to read them, of all connections of "
                    + "the replica together, off the heap; beyond it the connection of the client "
                    + "that has not read for longest is closed")
        int maxUnsentBytes,
    @Limit(
            value = 2_048,
            min = 1,
            max = 65_535,
            says =
                "connections to one other replica. Lowered at start to what the limit of open "
                    + "files leaves")
        int maxPeerConnections,
    @Limit(
            value = 10_000,
            min = 0,
            max = 1_000_000,
            says =
                "requests of one event loop that wait for a connection to one other replica; "
                    + "a further one is answered as if that replica could not be reached")
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
                "with several replicas, bytes of the body of a start that may wait where idle "
                    + "replicas can take it; a start with more is offered to kernels at once")
        int maxWaitingStartBytes,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says = "lists that a Request Handler makes at a time; a further one is answered 503")
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
