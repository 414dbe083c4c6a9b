package dev.pinion.core.limits;

/** Bounds of calls over protocols besides plain HTTP, for each replica. */
public record ProtocolLimits(
    @Limit(
            value = 1_000,
            min = 1,
            max = 65_535,
            says =
                "gRPC services with an open connection; a further one replaces the one unused for "
                    + "longest, or its call fails when all are in use")
        int maxServices,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says = "messages of a stream that a call takes; more fails the call")
        int maxMessages) {}
