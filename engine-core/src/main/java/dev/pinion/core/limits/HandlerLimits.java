package dev.pinion.core.limits;

/** Bounds of chains of handlers, for each replica. */
public record HandlerLimits(
    @Limit(value = 1_000, min = 1, max = 100_000, says = "chains in force") int maxChains,
    @Limit(value = 64, min = 1, max = 1_000, says = "handlers of a chain") int maxHandlers,
    @Limit(value = 1 << 20, min = 1 << 10, max = 1 << 26, says = "bytes of all documents of chains")
        int maxDocumentBytes,
    @Limit(value = 16 << 10, min = 0, max = 1 << 20, says = "characters of a document in a message")
        int maxOwnDocumentChars,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says = "chains of such documents kept ready; the one unused for longest is evicted")
        int maxOwnChains,
    @Limit(
            value = 1_024,
            min = 1,
            max = 1_000_000,
            says = "messages that wait at a chain; further ones are refused")
        int maxQueued,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says = "heap bytes of messages that wait at a chain; further ones are refused")
        int maxQueuedBytes,
    @Limit(
            value = 200,
            min = 1,
            max = 10_000,
            says = "messages in progress in a chain, even if its window adapts to more")
        int maxWindow,
    @Limit(
            value = 1_024,
            min = 1,
            max = 1_000_000,
            says = "messages that wait for the oneway handlers of a chain; further ones skip these")
        int maxOneway,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "heap bytes of messages that wait for the oneway handlers of a chain; further ones "
                    + "skip these")
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
            says = "characters of a property's name and value; a handler's changes fail with more")
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
                "threads that hang in a handler beyond its time and were replaced; further ones "
                    + "are not")
        int maxStuckWorkers,
    @Limit(
            value = 0,
            min = 0,
            max = 1_024,
            says =
                "threads that run handlers; 0 for one on each ancillary CPU, or each CPU of the "
                    + "replica where none is reserved")
        int workers) {}
