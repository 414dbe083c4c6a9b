package dev.pinion.core.limits;

/** Bounds of messages that tasks send and receive, for each replica. */
public record MessageLimits(
    @Limit(
            value = 1_000,
            min = 1,
            max = 100_000,
            says =
                "subscriptions of tasks that are open at one moment; a further one replaces the "
                    + "one whose task has been busy for longest, and fails when all wait")
        int maxSubscriptions,
    @Limit(
            value = 600,
            min = 1,
            max = 86_400,
            says =
                "time that a subscription stays open while its task works on a message; then it "
                    + "is closed, and opened again for the next message")
        int idleSeconds,
    @Limit(
            value = 1 << 20,
            min = 1 << 10,
            max = 1 << 28,
            says = "bytes of the payload of one message; a longer one fails the task")
        int maxBytes,
    @Limit(
            value = 16,
            min = 1,
            max = 10_000,
            says =
                "messages of one subscription that wait for its task, with messages.maxBytes in "
                    + "all or one message more; beyond it the server waits, or over NATS messages "
                    + "are lost")
        int maxQueued,
    @Limit(
            value = 64,
            min = 1,
            max = 10_000,
            says =
                "connections to servers that tasks share; a further one replaces the one unused "
                    + "for longest, and fails when all are in use")
        int maxConnections,
    @Limit(
            value = 32,
            min = 1,
            max = 1_000,
            says = "threads that send messages and open subscriptions; further ones wait")
        int maxThreads) {}
