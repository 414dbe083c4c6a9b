package dev.pinion.core.limits;

/** Bounds of one evaluation. */
public record ExpressionLimits(
    @Limit(
            value = 10_000,
            min = 100,
            max = 1_000_000,
            says =
                "steps on an event loop, meant to stay below a millisecond; beyond them the "
                    + "evaluation is handed to another thread")
        int loopSteps,
    @Limit(
            value = 1_000_000,
            min = 100,
            max = Integer.MAX_VALUE,
            says = "steps on that other thread; beyond them the expression fails")
        int maxSteps,
    @Limit(
            value = 512,
            min = 16,
            max = 1_000,
            says = "nesting of calls and data; each level takes up to 1 KiB of a thread's stack")
        int maxDepth) {}
