package dev.pinion.core.limits;

/** Bounds of calls, for each Invoker. */
public record InvokerLimits(
    @Limit(
            value = 8_192,
            min = 1,
            max = 1_000_000,
            says =
                "connections to all services together; one beyond it replaces the connection "
                    + "unused for longest, or waits for one. Lowered at start to what the limit of "
                    + "open files leaves")
        int maxConnections,
    @Limit(
            value = 1_024,
            min = 1,
            max = 65_535,
            says = "connections to one service; a call beyond it waits for one")
        int maxConnectionsPerService,
    @Limit(
            value = 5_000,
            min = 1,
            max = 600_000,
            says = "time to establish a connection, TLS included")
        int connectTimeoutMillis,
    @Limit(
            value = 30_000,
            min = 1,
            max = 86_400_000,
            says =
                "time from the call to the last byte of its response, including the wait for "
                    + "a connection")
        int callTimeoutMillis,
    @Limit(
            value = 30_000,
            min = 1,
            max = 3_600_000,
            says = "time an unused connection is kept, unless its service keeps it for less")
        int idleTimeoutMillis,
    @Limit(
            value = 60_000,
            min = 1,
            max = 86_400_000,
            says =
                "time after which a connection is not used for further calls, so that changes "
                    + "of DNS take effect; up to a quarter less, at random")
        int connectionAgeMillis,
    @Limit(
            value = 30,
            min = 1,
            max = 86_400,
            says =
                "time that the addresses of a name are cached, unless its name server says "
                    + "less; the hosts file is read again a second after a change")
        int maxNameSeconds,
    @Limit(
            value = 0,
            min = 0,
            max = 1,
            says =
                "whether calls may go to addresses that are multicast or reserved: 1 for yes, 0 "
                    + "for no; never to link-local ones and those of a cloud's metadata")
        int reservedAddresses,
    @Limit(
            value = 1,
            min = 0,
            max = 1,
            says =
                "whether calls may go to this machine and to private networks: 1 for yes, 0 for "
                    + "no")
        int privateAddresses,
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "bytes of one response's body, compressed and decompressed; more fails the call")
        int maxResponseBytes,
    @Limit(
            value = 64 << 20,
            min = 1 << 10,
            max = Integer.MAX_VALUE,
            says =
                "bytes of bodies that one Invoker has read and not forwarded; with more, all "
                    + "but one of its connections wait")
        int maxBufferedBytes,
    @Limit(
            value = 16 << 10,
            min = 256,
            max = 1 << 20,
            says = "bytes of one response's header fields; more fails the call")
        int maxHeaderBytes,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "steps of a concrete service's mapping of one body, and of the expressions of "
                    + "one call that use secrets")
        int maxMappingSteps,
    @Limit(
            value = 16 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says =
                "bytes of one request's body that is made of an object: a form, parts or XML; "
                    + "more fails the call")
        int maxRequestBytes,
    @Limit(
            value = 0,
            min = 0,
            max = 1,
            says =
                "whether calls ask for compressed responses by Accept-Encoding: 1 for yes, 0 "
                    + "for no; compressed responses are read in any case")
        int acceptCompressed) {}
