package dev.pinion.core.limits;

/** Bounds of the work of each replica before clients are admitted. */
public record StartLimits(
    @Limit(
            value = 0,
            min = 0,
            max = 60_000,
            says =
                "time in which a temporary engine answers requests; 0 for none. Its start, its end "
                    + "and a few calls of each real event loop come on top")
        int warmUpMillis,
    @Limit(value = 100_000, min = 1, max = 1_000_000, says = "requests after which it ends sooner")
        int warmUpRequests,
    @Limit(
            value = 0,
            min = 0,
            max = 10_000,
            says =
                "services with a constant address in deployed definitions, to which every Invoker "
                    + "connects; 0 for none")
        int connectAhead,
    @Limit(
            value = 1_000_000,
            min = 0,
            max = 1_000_000,
            says =
                "stored definitions that are compiled, by name of file; others at their first "
                    + "lookup, on its thread. One that does not compile then is tried again when "
                    + "other chains of handlers are in force")
        int compileAhead) {}
