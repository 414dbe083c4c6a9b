package dev.pinion.core.limits;

/** Bounds of event loops without work. */
public record LoopLimits(
    @Limit(
            value = 100,
            min = 1,
            max = 3_600_000,
            says =
                "time after its last work in which a loop that waits by spin or yield polls before "
                    + "it sleeps")
        int spinMillis) {}
