package dev.pinion.core.limits;

/** Bounds of the work of each replica before clients are admitted. */
public record StartLimits(
    @Limit(
            value = 0,
            min = 0,
            max = 60_000,
            says =
                "time in which a temporary engine, whose data is deleted, answers requests of "
                    + "the replica; 0 for no such engine. Its start and end come on top, and a few "
                    + "calls of each event loop of the real engine")
        int warmUpMillis,
    @Limit(
            value = 100_000,
            min = 1,
            max = 1_000_000,
            says = "requests after which the temporary engine ends sooner")
        int warmUpRequests,
    @Limit(
            value = 0,
            min = 0,
            max = 10_000,
            says =
                "services that deployed definitions call by address and to which every "
                    + "Invoker opens a connection; 0 for none. Those of the definitions listed "
                    + "first")
        int connectAhead,
    @Limit(
            value = 1_000_000,
            min = 0,
            max = 1_000_000,
            says =
                "definitions found in the data that are compiled, those of the first files by "
                    + "name; further ones at their first lookup, on the thread of the lookup. One "
                    + "that does not compile then is tried again when other chains of handlers are "
                    + "in force")
        int compileAhead) {}
