package dev.pinion.core.limits;

/** Bounds of calls, for each Invoker. */
public record InvokerLimits(
    @Limit(
            value = 8_192,
            min = 1,
            max = 1_000_000,
            says =
                "connections to all services; one beyond it replaces the one unused for longest, "
                    + "or waits. Lowered at start to what open files allow")
        int maxConnections,
    @Limit(
            value = 1_024,
            min = 1,
            max = 65_535,
            says = "connections to one service; further calls wait")
        int maxConnectionsPerService,
    @Limit(
            value = 5_000,
            min = 1,
            max = 600_000,
            says = "time to connect, all addresses and TLS included")
        int connectTimeoutMillis,
    @Limit(
            value = 30_000,
            min = 1,
            max = 86_400_000,
            says =
                "time from the call, waiting for a connection included, to the last byte of its "
                    + "response")
        int callTimeoutMillis,
    @Limit(
            value = 30_000,
            min = 1,
            max = 3_600_000,
            says = "time that an unused connection is kept, unless its service says less")
        int idleTimeoutMillis,
    @Limit(
            value = 60_000,
            min = 1,
            max = 86_400_000,
            says =
                "time that a connection takes new calls, so that changes of DNS take effect; up to "
                    + "a quarter less, at random")
        int connectionAgeMillis,
    @Limit(
            value = 30,
            min = 1,
            max = 86_400,
            says =
                "time that addresses of a name are cached, unless the name server says less; a "
                    + "changed hosts file is read within a second")
        int maxNameSeconds,
    @Limit(
            value = 0,
            min = 0,
            max = 1,
            says =
                "1: calls may go to multicast and reserved addresses; never to link-local ones and "
                    + "those of a cloud's metadata")
        int reservedAddresses,
    @Limit(
            value = 1,
            min = 0,
            max = 1,
            says = "0: calls may not go to this machine and to private networks")
        int privateAddresses,
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of a response's body, compressed and decompressed; more fails the call")
        int maxResponseBytes,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "bytes of bodies that one Invoker has read and not forwarded; with more, all but "
                    + "one of its connections wait")
        int maxBufferedBytes,
    @Limit(
            value = 16 << 10,
            min = 256,
            max = 1 << 20,
            says = "bytes of a response's header fields; more fails the call")
        int maxHeaderBytes,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "steps of a service's mapping of a body, and of a call's expressions with secrets")
        int maxMappingSteps,
    @Limit(
            value = 16 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of a request's form, parts or XML; more fails the call")
        int maxRequestBytes,
    @Limit(
            value = 0,
            min = 0,
            max = 1,
            says = "1: calls ask for compressed responses, which are read in any case")
        int acceptCompressed) {}
