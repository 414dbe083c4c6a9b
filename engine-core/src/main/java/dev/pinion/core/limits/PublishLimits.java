package dev.pinion.core.limits;

/** Bounds of the delivery of events to subscribers. */
public record PublishLimits(
    @Limit(
            value = 2,
            min = 1,
            max = 64,
            says =
                "threads that transform and send events, each for its share of the "
                    + "subscribers")
        int publishers,
    @Limit(
            value = 1_000,
            min = 0,
            max = 100_000,
            says = "subscriptions; a further one is answered 503")
        int maxSubscriptions,
    @Limit(
            value = 64 << 10,
            min = 1 << 10,
            max = 1 << 20,
            says = "bytes of one subscription as JSON; more is answered 413")
        int maxSubscriptionBytes,
    @Limit(
            value = 86_400,
            min = 1,
            max = 31_536_000,
            says = "time after which a subscription expires whose client names none")
        int leaseSeconds,
    @Limit(
            value = 31_536_000,
            min = 1,
            max = 1_000_000_000,
            says = "longest lease that a client may request")
        int maxLeaseSeconds,
    @Limit(
            value = 100_000,
            min = 1,
            max = 100_000_000,
            says =
                "events that wait for subscribers; beyond it the oldest are lost for "
                    + "subscribers that have not received them")
        int maxOutbox,
    @Limit(value = 256, min = 1, max = 100_000, says = "events in memory for one subscriber")
        int maxQueued,
    @Limit(
            value = 16 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says =
                "characters of the events in memory for all subscribers; beyond it each is "
                    + "read one event at a time")
        int maxQueuedChars,
    @Limit(
            value = 10_000,
            min = 1,
            max = 600_000,
            says = "time in which a subscriber must have answered")
        int timeoutMillis,
    @Limit(
            value = 200,
            min = 1,
            max = 600_000,
            says =
                "time after which an event is sent again for the first time; twice as long "
                    + "each further time")
        int retryMillis,
    @Limit(
            value = 60_000,
            min = 1,
            max = 86_400_000,
            says = "the longest time between two attempts")
        int maxRetryMillis) {}
