package dev.pinion.core.limits;

/** Bounds of the delivery of events to subscribers. */
public record PublishLimits(
    @Limit(
            value = 2,
            min = 1,
            max = 64,
            says = "threads that transform and send events, each for its share of subscribers")
        int publishers,
    @Limit(value = 1_000, min = 0, max = 100_000, says = "subscriptions; more: 503")
        int maxSubscriptions,
    @Limit(
            value = 64 << 10,
            min = 1 << 10,
            max = 1 << 20,
            says = "bytes of a subscription as JSON; more: 413")
        int maxSubscriptionBytes,
    @Limit(
            value = 86_400,
            min = 1,
            max = 31_536_000,
            says = "lease of a subscription whose client names none")
        int leaseSeconds,
    @Limit(value = 31_536_000, min = 1, max = 1_000_000_000, says = "longest lease")
        int maxLeaseSeconds,
    @Limit(
            value = 100_000,
            min = 1,
            max = 100_000_000,
            says = "events that wait for subscribers; beyond it the oldest are lost")
        int maxOutbox,
    @Limit(value = 256, min = 1, max = 100_000, says = "events in memory for a subscriber")
        int maxQueued,
    @Limit(
            value = 16 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says =
                "characters of events in memory for all subscribers; beyond it they are read one "
                    + "at a time")
        int maxQueuedChars,
    @Limit(value = 10_000, min = 1, max = 600_000, says = "time in which a subscriber must answer")
        int timeoutMillis,
    @Limit(
            value = 200,
            min = 1,
            max = 600_000,
            says = "time before the first repetition; twice as long before each further one")
        int retryMillis,
    @Limit(value = 60_000, min = 1, max = 86_400_000, says = "longest time between two attempts")
        int maxRetryMillis) {}
