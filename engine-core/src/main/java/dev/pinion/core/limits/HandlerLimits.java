package dev.pinion.core.limits;

/** Bounds of chains of handlers, for each replica. */
public record HandlerLimits(
    @Limit(value = 1_000, min = 1, max = 100_000, says = "chains in force together") int maxChains,
    @Limit(value = 64, min = 1, max = 1_000, says = "handlers of one chain") int maxHandlers,
    @Limit(value = 1 << 20, min = 1 << 10, max = 1 << 26, says = "bytes of one document of chains")
        int maxDocumentBytes,
    @Limit(
            value = 16 << 10,
            min = 0,
            max = 1 << 20,
            says = "characters of the document in a message")
        int maxOwnDocumentChars,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says =
                "chains of such documents that are kept ready; the one unused for longest is "
                    + "evicted")
        int maxOwnChains,
    @Limit(
            value = 1_024,
            min = 1,
            max = 1_000_000,
            says = "messages that wait at one chain; a further one is refused")
        int maxQueued,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "heap bytes of messages that wait at one chain; with more a further one is "
                    + "refused")
        int maxQueuedBytes,
    @Limit(
            value = 200,
            min = 1,
            max = 10_000,
            says = "messages in progress in one chain, even if its window adapts to more")
        int maxWindow,
    @Limit(
            value = 1_024,
            min = 1,
            max = 1_000_000,
            says =
                "messages that wait for the oneway handlers of one chain; further ones skip "
                    + "these handlers")
        int maxOneway,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "heap bytes of messages that wait for the oneway handlers of one chain; with "
                    + "more, further ones skip these handlers")
        int maxOnewayBytes,
    @Limit(
            value = 256,
            min = 16,
            max = 10_000,
            says = "properties of a message; a handler's changes fail with more")
        int maxProperties,
    @Limit(
            value = 16 << 10,
            min = 256,
            max = 1 << 20,
            says =
                "characters of the name and the value of a property together; a handler's "
                    + "changes fail with more")
        int maxPropertyChars,
    @Limit(
            value = 16 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of a body made by a handler; its changes fail with more")
        int maxBodyBytes,
    @Limit(
            value = 16,
            min = 0,
            max = 10_000,
            says =
                "threads that hang in a handler beyond its time and have been replaced; "
                    + "further ones are not replaced until they are back")
        int maxStuckWorkers,
    @Limit(
            value = 0,
            min = 0,
            max = 1_024,
            says =
                "threads that run handlers; 0 for one on each CPU of ancillary threads, or of "
                    + "the replica where ancillary threads have no CPUs reserved")
        int workers) {}
